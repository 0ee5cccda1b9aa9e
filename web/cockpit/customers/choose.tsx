// The bar over the list of customers with what can be done to many of them.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CustomerDetail, StartBulkActionForm } from '../../api/types'
import { get, write } from '../../api/client'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Button } from '../../ui/basics'
import { Dialog, toastFailure } from '../../ui/dialog'
import { Form, NumberField, SelectField, TextField, useForm } from '../../ui/form'
import { navigate, place } from '../../ui/router'
import { useSegments } from '../lookups'
import { writeTo } from '../mailings/chosen'

// Chosen is a set of customers, or all who match the filters of the list.
export type Chosen = ReadonlySet<string> | 'all'

type Kind = StartBulkActionForm['bulkAction']['action']

const kinds: { kind: Kind; may: () => boolean }[] = [
  { kind: 'addLabel', may: () => may('CUSTOMER', 'MODIFY') },
  { kind: 'removeLabel', may: () => may('CUSTOMER', 'MODIFY') },
  { kind: 'givePoints', may: () => may('POINT_TRANSFER', 'MODIFY') },
  { kind: 'takePoints', may: () => may('POINT_TRANSFER', 'MODIFY') },
  { kind: 'addToSegment', may: () => may('CUSTOMER', 'MODIFY') && may('SEGMENT', 'MODIFY') },
]

const mailable = 1000 // customers that a mailing can name

const mayWrite = (): boolean => may('REWARD_CAMPAIGN', 'MODIFY')

// mayChoose reports whether there is anything that the user may do to many customers.
export const mayChoose = (): boolean => mayWrite() || kinds.some((k) => k.may())

interface Props {
  rows: CustomerDetail[]
  total: number
  filters: readonly string[] // names in the address bar
  chosen: Chosen
  onChange: (chosen: Chosen) => void
}

export function ChooseBar({ rows, total, filters, chosen, onChange }: Props): JSX.Element | null {
  const [asked, setAsked] = useState<Kind | null>(null)
  const n = chosen === 'all' ? total : chosen.size
  if (n === 0) return null
  const filter = (): string => {
    const query = new URLSearchParams()
    for (const name of [...filters, 'q']) {
      const value = place.value.query.get(name)
      if (value) query.set(name, value)
    }
    return query.toString()
  }
  const message = async (): Promise<void> => {
    try {
      const all =
        chosen === 'all'
          ? (
              await get('/api/{store}/customer', {
                ...Object.fromEntries(new URLSearchParams(filter())),
                perPage: mailable,
              })
            ).customers.map((c) => c.customerId)
          : [...chosen]
      writeTo(all)
      navigate('/mailings/new')
    } catch (e) {
      toastFailure(e)
    }
  }
  return (
    <div class="choose-bar" role="group" aria-label={t('bulk.bar')}>
      <strong role="status">{t('bulk.chosen', { n })}</strong>
      {chosen !== 'all' && (
        <Button small onClick={() => onChange(new Set([...chosen, ...rows.map((c) => c.customerId)]))}>
          {t('bulk.page')}
        </Button>
      )}
      {chosen !== 'all' && total > rows.length && (
        <Button small onClick={() => onChange('all')}>
          {t('bulk.all', { n: total })}
        </Button>
      )}
      <Button small kind="plain" icon="close" onClick={() => onChange(new Set())}>
        {t('bulk.clear')}
      </Button>
      {kinds
        .filter((k) => k.may())
        .map((k) => (
          <Button key={k.kind} small onClick={() => setAsked(k.kind)}>
            {t(`bulk.${k.kind}`)}
          </Button>
        ))}
      {mayWrite() && n <= mailable && (
        <Button small onClick={() => void message()}>
          {t('bulk.message')}
        </Button>
      )}
      {asked && (
        <Ask
          kind={asked}
          n={n}
          onClose={() => setAsked(null)}
          selection={chosen === 'all' ? { all: true, filter: filter() || 'everybody' } : { customers: [...chosen] }}
        />
      )}
    </div>
  )
}

function Ask({
  kind,
  n,
  selection,
  onClose,
}: {
  kind: Kind
  n: number
  selection: Pick<StartBulkActionForm['bulkAction'], 'all' | 'filter' | 'customers'>
  onClose: () => void
}): JSX.Element {
  const segments = useSegments()
  const lists = segments.filter((s) => s.parts.some((part) => part.criteria.some((c) => c.type === 'customer_list')))
  const form = useForm(
    { label: { key: '', value: '' }, points: '', comment: '', segmentId: lists[0]?.segmentId ?? '' },
    async (values, key) => {
      const { label, points, comment, segmentId } = values
      const details = kind.endsWith('Label') ? { label } : kind.endsWith('Points') ? { points, comment } : { segmentId }
      const made = await write('POST', '/api/{store}/admin/bulk-action', {
        body: { bulkAction: { action: kind, ...selection, ...details } },
        key,
      })
      navigate(`/bulk-actions/${made.bulkActionId}`)
    },
  )
  return (
    <Dialog title={t(`bulk.${kind}`)} onClose={onClose}>
      <p>{t('bulk.chosen', { n })}</p>
      <Form form={form} cancel={onClose} save={t('bulk.start')}>
        {kind.endsWith('Label') && (
          <div class="columns">
            <TextField form={form} path="label.key" label={t('field.key')} autoFocus />
            <TextField form={form} path="label.value" label={t('field.value')} optional />
          </div>
        )}
        {kind.endsWith('Points') && (
          <>
            <NumberField form={form} path="points" label={t('points.amount')} autoFocus />
            <TextField form={form} path="comment" label={t('points.comment')} help={t('points.commentHelp')} optional />
          </>
        )}
        {kind === 'addToSegment' && (
          <SelectField
            form={form}
            path="segmentId"
            label={t('bulk.segment')}
            help={t('bulk.segmentHelp')}
            empty={t('form.choose')}
            options={lists.map((s) => ({ value: s.segmentId, text: s.name }))}
          />
        )}
      </Form>
    </Dialog>
  )
}
