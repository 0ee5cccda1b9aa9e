import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { SellerView } from '../../api/types'
import { storedAt, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Button, ButtonLink, Card, Empty, ErrorState, Page, Skeleton } from '../../ui/basics'
import { toast } from '../../ui/dialog'
import { Checkbox, Form, SelectField, TextField, useForm, type Option } from '../../ui/form'
import { leave, navigate, type RouteProps } from '../../ui/router'
import { History } from '../audit/history'
import { ResetFactors } from '../factors'
import { Offboard } from '../offboard'
import { placeName } from './place_name'
import { setActive } from './sellers'

interface Values {
  firstName: string
  lastName: string
  email: string
  phone: string
  posId: string
  plainPassword: string
  active: boolean
  allowTransactions: boolean
  allowCouponUse: boolean
  allowCouponLookup: boolean
  allowPointTransfer: boolean
  allowCouponCancel: boolean
}

function valuesOf(s: SellerView | undefined, pos: Option[]): Values {
  return {
    firstName: s?.firstName ?? '',
    lastName: s?.lastName ?? '',
    email: s?.email ?? '',
    phone: s?.phone ?? '',
    posId: s ? (s.posId ?? '') : pos.length === 1 ? pos[0]!.value : '',
    plainPassword: '',
    active: s?.active ?? true,
    allowTransactions: s?.allowTransactions ?? true,
    allowCouponUse: s?.allowCouponUse ?? true,
    allowCouponLookup: s?.allowCouponLookup ?? true,
    allowPointTransfer: s?.allowPointTransfer ?? false,
    allowCouponCancel: s?.allowCouponCancel ?? false,
  }
}

// SellerEditor edits a seller, or a new one.
export default function SellerEditor({ params }: RouteProps): JSX.Element {
  const id = params['seller']
  const seller = useQuery('/api/{store}/seller/{seller}', { seller: id })
  const places = useQuery(may('POS') ? '/api/{store}/pos' : null, { perPage: 1000, sort: 'name', direction: 'ASC' })
  const back = { to: '/sellers', text: t('nav.sellers') }
  const title = id ? (seller.data?.name ?? t('sellers.one')) : t('sellers.new')
  const error = (id && !seller.data && seller.error) || (!places.data && places.error)
  if (error) {
    return (
      <Page title={title} back={back}>
        <ErrorState
          error={error}
          retry={() => {
            seller.reload()
            places.reload()
          }}
        />
      </Page>
    )
  }
  if ((id && !seller.data) || (may('POS') && !places.data))
    return (
      <Page title={title} back={back}>
        <Skeleton lines={8} />
      </Page>
    )
  const s = seller.data
  const pos = (places.data?.pos ?? []).map((p) => ({ value: p.posId, text: placeName(p) }))
  if (s?.posId && !pos.some((p) => p.value === s.posId)) pos.unshift({ value: s.posId, text: s.posName ?? s.posId })
  if (pos.length === 0)
    return (
      <Page title={title} back={back}>
        <NoPlace />
      </Page>
    )
  return (
    <Page title={title} back={back} actions={s && <History of={s.sellerId} />}>
      <Loaded key={id ?? ''} seller={s} pos={pos} />
    </Page>
  )
}

function NoPlace(): JSX.Element {
  const add = may('POS', 'MODIFY') && (
    <ButtonLink kind="primary" icon="plus" to="/points-of-sale/new">
      {t('pos.new')}
    </ButtonLink>
  )
  return (
    <Empty icon="shops" title={t('sellers.noPos')} action={add}>
      {t('sellers.noPosHelp')}
    </Empty>
  )
}

function Loaded({ seller: s, pos }: { seller: SellerView | undefined; pos: Option[] }): JSX.Element {
  const [deleting, setDeleting] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const [resetting, setResetting] = useState(false)
  const ends = useQuery(leaving || deleting ? '/api/{store}/seller/{seller}/access' : null, { seller: s?.sellerId })
  const form = useForm<Values>(
    valuesOf(s, pos),
    async (values, key, tag) => {
      await (s
        ? write('PUT', '/api/{store}/seller/{seller}', {
            params: { seller: s.sellerId },
            body: { seller: values },
            key,
            tag,
          })
        : write('POST', '/api/{store}/seller/register', { body: { seller: values }, key }))
      toast(t('sellers.saved', { name: `${values.firstName} ${values.lastName}` }))
      navigate('/sellers')
    },
    true,
    s && storedAt('/api/{store}/seller/{seller}', { seller: s.sellerId }, (now) => valuesOf(now, pos)),
  )
  const remove = async (): Promise<void> => {
    await write('DELETE', '/api/{store}/seller/{seller}', { params: { seller: s!.sellerId } })
    toast(t('sellers.deleted', { name: s!.name }))
    leave('/sellers')
  }
  return (
    <div class="shop-editor">
      <Form
        form={form}
        cancel={() => navigate('/sellers')}
        save={s ? t('action.save') : t('sellers.add')}
        sticky
        extra={
          s && (
            <>
              <Button kind="plain" icon="trash" onClick={() => setDeleting(true)}>
                {t('sellers.delete')}
              </Button>
              {s.active && (
                <Button kind="plain" onClick={() => setLeaving(true)}>
                  {t('offboard.do')}
                </Button>
              )}
              <Button kind="plain" onClick={() => setResetting(true)}>
                {t('factorReset.do')}
              </Button>
              <span class="spacer" />
            </>
          )
        }
      >
        <Card title={t('sellers.person')}>
          <div class="columns">
            <TextField form={form} path="firstName" label={t('sellers.firstName')} autoFocus={!s} />
            <TextField form={form} path="lastName" label={t('sellers.lastName')} />
          </div>
          <TextField form={form} path="phone" label={t('sellers.phone')} type="tel" optional placeholder="+47…" />
          <SelectField
            form={form}
            path="posId"
            label={t('pos.one')}
            options={pos}
            empty={t('form.choose')}
            help={t('sellers.posHelp')}
          />
        </Card>
        <Card title={t('sellers.signIn')}>
          <TextField form={form} path="email" label={t('sellers.email')} type="email" help={t('sellers.emailHelp')} />
          <TextField
            form={form}
            path="plainPassword"
            label={s ? t('sellers.newPassword') : t('sellers.password')}
            type="password"
            autoComplete="new-password"
            optional={!!s}
            help={s ? t('sellers.newPasswordHelp') : t('sellers.passwordHelp')}
          />
          <Checkbox form={form} path="active" label={t('sellers.maySignIn')} help={t('sellers.maySignInHelp')} />
        </Card>
        <Card title={t('sellers.may')}>
          <Checkbox
            form={form}
            path="allowTransactions"
            label={t('sellers.mayReceipts')}
            help={t('sellers.mayReceiptsHelp')}
          />
          <Checkbox form={form} path="allowCouponUse" label={t('sellers.mayUse')} help={t('sellers.mayUseHelp')} />
          <Checkbox
            form={form}
            path="allowCouponLookup"
            label={t('sellers.mayLookUp')}
            help={t('sellers.mayLookUpHelp')}
          />
          <Checkbox
            form={form}
            path="allowCouponCancel"
            label={t('sellers.mayCancel')}
            help={t('sellers.mayCancelHelp')}
          />
          <Checkbox
            form={form}
            path="allowPointTransfer"
            label={t('sellers.mayPoints')}
            help={t('sellers.mayPointsHelp')}
          />
        </Card>
      </Form>
      {resetting && s && (
        <ResetFactors
          name={s.name}
          onClose={() => setResetting(false)}
          reset={() => write('DELETE', '/api/{store}/seller/{seller}/factors', { params: { seller: s.sellerId } })}
        />
      )}
      {leaving && s && (
        <Offboard
          name={s.name}
          access={ends}
          onClose={() => setLeaving(false)}
          onConfirm={async () => {
            await setActive(s, false)
            leave('/sellers')
          }}
        />
      )}
      {deleting && s && (
        <Offboard deletes name={s.name} access={ends} onConfirm={remove} onClose={() => setDeleting(false)} />
      )}
    </div>
  )
}
