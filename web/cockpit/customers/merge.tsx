// Merging two customers who are the same person, and undoing it.
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Failure, newKey, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import type { CustomerDetail, MergePreview, MergeSide, MergeView } from '../../api/types'
import { date, number, points, t } from '../../i18n/i18n'
import { Badge, Button, Empty, ErrorState, failureText, Notice, Page, Skeleton, Time } from '../../ui/basics'
import { Confirm, Dialog, toast } from '../../ui/dialog'
import { Form, useForm } from '../../ui/form'
import { Link } from '../../ui/router'
import { Details } from './details'
import { customerName } from './name'
import { CustomerField } from './search'

// MergeDialog merges a customer, whom the user finds by searching, into the one of the page.
export function MergeDialog({ customer, onClose }: { customer: CustomerDetail; onClose: () => void }): JSX.Element {
  const [other, setOther] = useState<CustomerDetail | null>(null)
  const preview = useQuery(other ? '/api/{store}/admin/customer/{customer}/merge/preview' : null, {
    customer: customer.customerId,
    customerId: other?.customerId,
  })
  const form = useForm({ customerId: '' }, async (merge, key) => {
    await write('POST', '/api/{store}/admin/customer/{customer}/merge', {
      params: { customer: customer.customerId },
      body: { merge },
      key,
    })
    toast(t('merges.done', { name: customerName(customer) }))
    onClose()
  })
  const choose = (c: CustomerDetail | null): void => {
    setOther(c)
    form.set('customerId', c?.customerId ?? '')
  }
  return (
    <Dialog wide title={t('merges.title')} onClose={onClose}>
      <Form form={form} cancel={onClose} save={t('merges.merge')}>
        <p class="muted">{t('merges.help', { name: customerName(customer) })}</p>
        <CustomerField
          form={form}
          path="customerId"
          label={t('merges.other')}
          chosen={other}
          onChoose={choose}
          except={customer.customerId}
        />
        {other &&
          (preview.data ? (
            <Preview customer={customer} preview={preview.data} />
          ) : preview.error ? (
            <Notice tone="danger">{failureText(preview.error)}</Notice>
          ) : (
            <Skeleton lines={6} />
          ))}
      </Form>
    </Dialog>
  )
}

// Preview shows both customers side by side, and what happens to the second one.
function Preview({ customer, preview: p }: { customer: CustomerDetail; preview: MergePreview }): JSX.Element {
  const sides = [p.customer, p.mergedCustomer]
  const moved = p.mergedCustomer
  const mark = (member: string): JSX.Element | null =>
    p.filled.includes(member) ? (
      <>
        {' '}
        <Badge tone="success">{t('merges.taken')}</Badge>
      </>
    ) : p.conflicts.includes(member) ? (
      <>
        {' '}
        <Badge tone="warning">{t('merges.notTaken')}</Badge>
      </>
    ) : null
  const rows: [string, (side: MergeSide) => string | number | undefined, string?][] = [
    [t('customers.firstName'), (s) => s.firstName, 'firstName'],
    [t('customers.lastName'), (s) => s.lastName, 'lastName'],
    [t('customers.email'), (s) => s.email, 'email'],
    [t('customers.phone'), (s) => s.phone, 'phone'],
    [t('customers.card'), (s) => s.loyaltyCardNumber, 'loyaltyCardNumber'],
    [t('customers.birthDate'), (s) => date(s.birthDate), 'birthDate'],
    [t('customers.since'), (s) => date(s.createdAt)],
    [t('merges.points'), (s) => points(s.points)],
    [t('merges.pending'), (s) => points(s.lockedPoints)],
    [t('tab.coupons'), (s) => number(s.coupons)],
    [t('tab.purchases'), (s) => number(s.receipts)],
  ]
  const lost = (['agreement1', 'agreement2', 'agreement3'] as const).filter(
    (name) => customer[name] && !p.agreements[name],
  )
  return (
    <>
      <table class="compare">
        <thead>
          <tr>
            <th />
            <th scope="col">{t('merges.stays')}</th>
            <th scope="col">{t('merges.goes')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, of, member]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {sides.map((side, i) => (
                <td key={side.customerId} dir="auto">
                  {of(side) || '–'}
                  {i === 1 && member && mark(member)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Notice
        title={t('merges.moves', {
          points: points(moved.points + moved.lockedPoints),
          coupons: number(moved.coupons),
          receipts: number(moved.receipts),
        })}
      >
        {t('merges.effects')}
        {lost.length > 0 && (
          <p>{t('merges.agreements', { names: lost.map((name) => t(`customers.${name}`)).join(', ') })}</p>
        )}
      </Notice>
    </>
  )
}

// Merged is the page of a customer who was merged into another one.
export function Merged({ customer: c }: { customer: CustomerDetail }): JSX.Element {
  const target = useQuery('/api/{store}/customer/{customer}', { customer: c.mergedInto }).data
  const { data } = useQuery(may('CUSTOMER_MERGE') ? '/api/{store}/admin/customer/{customer}/merge' : null, {
    customer: c.customerId,
  })
  const merge = data?.merges.find((m) => m.canBeUndone && m.mergedCustomerId === c.customerId)
  const [asks, setAsks] = useState(false)
  return (
    <Page
      title={customerName(c)}
      back={{ to: '/customers', text: t('nav.allCustomers') }}
      badge={<Badge>{t('merges.badge')}</Badge>}
    >
      <Notice tone="warning" title={t('merges.merged')}>
        <p>
          <Link to={`/customers/${c.mergedInto}`}>
            {t('merges.open', { name: target ? customerName(target) : '…' })}
          </Link>
        </p>
        {merge && may('CUSTOMER_MERGE', 'MODIFY') && (
          <div class="row">
            <Button small onClick={() => setAsks(true)}>
              {t('merges.undo')}
            </Button>
          </div>
        )}
      </Notice>
      <Details customer={c} />
      {asks && merge && <AskUndo merge={merge} onClose={() => setAsks(false)} />}
    </Page>
  )
}

// Merges lists the customers who were merged into one.
export function Merges({ customer }: { customer: string }): JSX.Element {
  const { data, error, reload } = useQuery('/api/{store}/admin/customer/{customer}/merge', { customer })
  const [undoes, setUndoes] = useState<MergeView | null>(null)
  const [frees, setFrees] = useState<MergeView | null>(null)
  if (!data) return error ? <ErrorState error={error} retry={reload} /> : <Skeleton lines={3} />
  if (data.merges.length === 0)
    return (
      <Empty icon="customers" title={t('merges.none')}>
        {t('merges.noneHelp')}
      </Empty>
    )
  return (
    <>
      <ul class="notes">
        {data.merges.map((m) => (
          <li key={m.mergeId}>
            <p>
              <Link to={`/customers/${m.mergedCustomerId === customer ? m.customerId : m.mergedCustomerId}`}>
                {customerName(m)}
              </Link>
              {m.undoneAt && (
                <>
                  {' '}
                  <Badge>{t('merges.undone')}</Badge>
                </>
              )}
            </p>
            <small>
              {t('merges.moved', {
                points: points(m.points),
                coupons: number(m.coupons),
                receipts: number(m.receipts),
              })}
            </small>
            <div class="row">
              <small class="muted">
                {m.mergedBy}, <Time at={m.mergedAt} />
              </small>
              {m.canBeUndone && may('CUSTOMER_MERGE', 'MODIFY') && (
                <Button small onClick={() => setUndoes(m)}>
                  {t('merges.undo')}
                </Button>
              )}
            </div>
            {m.contacts && (
              <div class="row">
                <small>{t('merges.contacts', { contacts: contactsOf(m) })}</small>
                {may('CUSTOMER_MERGE', 'MODIFY') && (
                  <Button small onClick={() => setFrees(m)}>
                    {t('merges.free')}
                  </Button>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      {undoes && <AskUndo merge={undoes} onClose={() => setUndoes(null)} />}
      {frees && (
        <Confirm
          title={t('merges.free')}
          action={t('merges.free')}
          onClose={() => setFrees(null)}
          onConfirm={async () => {
            await write('DELETE', '/api/{store}/admin/customer/{customer}/merge/{merge}/contacts', {
              params: { customer: frees.customerId, merge: frees.mergeId },
              key: newKey(),
            })
            toast(t('merges.freed'))
          }}
        >
          {t('merges.freeText', { contacts: contactsOf(frees) })}
        </Confirm>
      )}
    </>
  )
}

// contactsOf joins the contacts of the merged customer that lead to the other one.
const contactsOf = (m: MergeView): string => [m.contacts?.email, m.contacts?.phone].filter(Boolean).join(', ')

function AskUndo({ merge, onClose }: { merge: MergeView; onClose: () => void }): JSX.Element {
  const key = useRef(newKey())
  return (
    <Confirm
      title={t('merges.askUndo')}
      action={t('merges.undo')}
      onClose={onClose}
      onConfirm={async () => {
        try {
          await write('POST', '/api/{store}/admin/customer/{customer}/merge/{merge}/undo', {
            params: { customer: merge.customerId, merge: merge.mergeId },
            key: key.current,
          })
        } catch (e) {
          if (e instanceof Failure) key.current = newKey() // a refusal is stored with its key
          throw e
        }
        toast(t('merges.undoneNow'))
      }}
    >
      {t('merges.askUndoText')}
    </Confirm>
  )
}
