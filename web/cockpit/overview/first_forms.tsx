// The forms of the first steps. Each asks for the least that there must be; the editors have the rest.
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failure, useQuery, write } from '../../api/client'
import { store } from '../../api/session'
import { dateTime, t } from '../../i18n/i18n'
import { Button, ButtonLink, Copy, failureText, Notice, Skeleton } from '../../ui/basics'
import { toast, toastFailure } from '../../ui/dialog'
import { Form, TextField, useForm } from '../../ui/form'
import { useCurrency } from '../currency'
import { withoutActivation } from '../customers/waiting'
import { useLanguages } from '../languages'
import { QRImage } from '../../ui/qr'
import { addLevel, addRule } from './starters'

// Added is called after something was added. A note stays in its place.
export type Added = (note?: ComponentChildren) => void

export function AddLevel({ added }: { added: Added }): JSX.Element {
  const [language] = useLanguages()
  return language ? <LevelForm language={language.code} added={added} /> : <Skeleton />
}

function LevelForm({ language, added }: { language: string; added: Added }): JSX.Element {
  const form = useForm(
    { name: t('overview.step.levelName') },
    async ({ name }, key) => {
      await addLevel(language, name, key)
      toast(t('campaigns.saved', { name }))
      added()
    },
    false,
  )
  return (
    <Form form={form} save={t('overview.step.levelDo')}>
      <TextField form={form} path="name" label={t('overview.step.levelLabel')} maxLength={255} />
    </Form>
  )
}

export function AddRule({ added }: { added: Added }): JSX.Element {
  const [busy, setBusy] = useState(false)
  const name = t('overview.step.ruleDo', { currency: useCurrency() })
  const add = async (): Promise<void> => {
    setBusy(true)
    try {
      await addRule(name)
      toast(t('campaigns.saved', { name }))
      added()
    } catch (e) {
      toastFailure(e)
    }
    setBusy(false)
  }
  return (
    <div class="row">
      <Button kind="primary" busy={busy} onClick={busy ? undefined : () => void add()}>
        {name}
      </Button>
    </div>
  )
}

export function AddPlace({ added }: { added: Added }): JSX.Element {
  const form = useForm(
    { name: '' },
    async ({ name }, key) => {
      await write('POST', '/api/{store}/pos', { body: { pos: { name } }, key })
      toast(t('campaigns.saved', { name }))
      added()
    },
    false,
  )
  return (
    <Form form={form} save={t('overview.step.placeDo')}>
      <TextField form={form} path="name" label={t('pos.name')} maxLength={255} />
    </Form>
  )
}

// AddSeller adds a seller whose password nobody knows, and makes a link by which they choose one.
export function AddSeller({ added }: { added: Added }): JSX.Element {
  const places = useQuery('/api/{store}/pos', { perPage: 1 })
  const form = useForm(
    { firstName: '', lastName: '', email: '' },
    async (values, key) => {
      const made = await write('POST', '/api/{store}/seller/register', {
        body: {
          seller: {
            ...values,
            posId: places.data?.pos[0]?.posId ?? '',
            active: true,
            plainPassword: unknownPassword(),
            allowTransactions: true,
            allowCouponUse: true,
            allowCouponLookup: true,
          },
        },
        key,
      })
      added(<SellerLink seller={made.sellerId} name={values.firstName} email={values.email} />)
    },
    false,
  )
  return (
    <Form form={form} save={t('overview.step.sellerDo')}>
      <div class="columns">
        <TextField form={form} path="firstName" label={t('sellers.firstName')} maxLength={255} />
        <TextField form={form} path="lastName" label={t('sellers.lastName')} maxLength={255} />
      </div>
      <TextField form={form} path="email" label={t('sellers.email')} type="email" />
    </Form>
  )
}

// unknownPassword is one that meets the rules and that nobody sees.
const unknownPassword = (): string =>
  `Aa1!${[...crypto.getRandomValues(new Uint8Array(16))].map((n) => n.toString(16)).join('')}`

// SellerLink makes a link by which a seller chooses a password, and shows it as text and as a QR code.
export function SellerLink({ seller, name, email }: { seller: string; name: string; email: string }): JSX.Element {
  const [link, setLink] = useState<{ path: string; expiresAt: string } | null>(null)
  const [failed, setFailed] = useState('')
  useEffect(() => {
    write('POST', '/api/{store}/seller/{seller}/link', { params: { seller } }).then(setLink, (e: unknown) =>
      setFailed(e instanceof Failure ? failureText(e) : String(e)),
    )
  }, [seller])
  if (failed) return <Notice tone="danger">{failed}</Notice>
  if (!link) return <p class="muted">…</p>
  const address = `${location.origin}${link.path}#${encodeURIComponent(email)}`
  return (
    <Notice tone="accent" title={t('sellers.linkTitle', { name })}>
      <p>{t('sellers.linkHelp', { time: dateTime(link.expiresAt) })}</p>
      <QRImage code={address} label={t('sellers.linkQr', { name })} />
      <p>
        <Copy text={address} />
      </p>
    </Notice>
  )
}

// AddCustomer adds a customer to try the program with.
export function AddCustomer({ added }: { added: Added }): JSX.Element {
  const form = useForm(
    { email: '' },
    async ({ email }, key) => {
      await write('POST', '/api/{store}/admin/customer/register', {
        body: {
          customer: {
            firstName: t('overview.step.customerFirst'),
            lastName: t('overview.step.customerLast'),
            email,
            agreement1: true,
          },
        },
        key,
      })
      toast(t('campaigns.saved', { name: email }))
      added()
    },
    false,
  )
  return (
    <>
      <p class="muted">
        {t('overview.step.customerJoin')} <Copy text={`${location.origin}/me/${encodeURIComponent(store.value)}`} />
      </p>
      <Form form={form} save={t('overview.step.customerDo')}>
        <TextField form={form} path="email" label={t('overview.step.customerLabel')} type="email" />
      </Form>
    </>
  )
}

// AboutMail offers what a store without a mail server can do about the activation of accounts.
export function AboutMail({ added }: { added: Added }): JSX.Element {
  const [busy, setBusy] = useState(false)
  const doWithout = async (): Promise<void> => {
    setBusy(true)
    await withoutActivation().then(() => added(), toastFailure)
    setBusy(false)
  }
  return (
    <div class="row">
      <Button kind="primary" busy={busy} onClick={busy ? undefined : () => void doWithout()}>
        {t('overview.step.mailNone')}
      </Button>
      <ButtonLink to="/messages" query={{ tab: 'delivery' }}>
        {t('overview.step.mailSet')}
      </ButtonLink>
    </div>
  )
}
