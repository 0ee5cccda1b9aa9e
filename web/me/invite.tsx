// Inviting a friend by e-mail, phone or the customer's own link, and what became of earlier invitations.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { settled, stale, useQuery, write } from '../api/client'
import type { InvitationOwnView } from '../api/types'
import { date, language, t } from '../i18n/i18n'
import { Badge, Button, Card, Empty, ErrorState, Page, Skeleton } from '../ui/basics'
import { brand } from '../ui/brand'
import { toast, toastFailure } from '../ui/dialog'
import { Choice, Form, TextField, useForm } from '../ui/form'
import { href } from '../ui/router'
import { amount } from './brand'

const step = 20

export default function Invite(): JSX.Element {
  const [shown, setShown] = useState(step)
  const list = useQuery('/api/{store}/customer/invitation', { perPage: shown })
  const rules = useQuery('/api/{store}/customer/earningRule', { _locale: language.value })
  const page = { title: t('me.invite'), back: { to: '/account', text: t('me.me') }, lead: t('me.inviteLead') }
  if (!settled(rules, list))
    return (
      <Page {...page}>
        <Skeleton lines={8} />
      </Page>
    )
  return (
    <Page {...page}>
      <div class="columns two">
        <Send />
        <div class="stack">
          <OwnLink />
          <Rewards rules={rules.data?.earningRules ?? []} />
        </div>
      </div>
      <Card title={t('me.invited')}>
        {list.error && !list.data && <ErrorState error={list.error} retry={list.reload} />}
        {!list.data && !list.error && <Skeleton lines={3} />}
        {list.data?.total === 0 && (
          <Empty icon="customers" title={t('me.invitedNobody')}>
            {t('me.invitedNobodyHelp')}
          </Empty>
        )}
        {list.data && list.data.total > 0 && (
          <ul class="rows">
            {list.data.invitations.map((i) => (
              <Invitation key={i.invitationId} of={i} />
            ))}
          </ul>
        )}
        {list.data && list.data.total > list.data.invitations.length && (
          <Button busy={list.loading} onClick={() => setShown(shown + step)}>
            {t('me.showMore')}
          </Button>
        )}
      </Card>
    </Page>
  )
}

const blank = { type: 'email' as 'email' | 'mobile', recipientEmail: '', recipientPhone: '' }

function Send(): JSX.Element {
  const form = useForm(blank, async (values, key) => {
    await write('POST', '/api/{store}/invitations/invite', { body: { invitation: values }, key })
    toast(t('me.invitationSent'))
    form.replace({ ...blank, type: values.type })
    stale()
  })
  return (
    <Card title={t('me.inviteSend')}>
      <Form form={form} save={t('me.inviteNow')}>
        <Choice
          form={form}
          path="type"
          label={t('me.inviteBy')}
          options={[
            { value: 'email', text: t('signIn.email') },
            { value: 'mobile', text: t('me.phone') },
          ]}
        />
        {form.values.type === 'mobile' ? (
          <TextField form={form} path="recipientPhone" type="tel" label={t('me.friendPhone')} />
        ) : (
          <TextField form={form} path="recipientEmail" type="email" label={t('me.friendEmail')} />
        )}
      </Form>
    </Card>
  )
}

// linkOf is the address where somebody registers as invited.
function linkOf(token: string): string {
  return `${location.origin}${href('/register')}?invitation=${token}`
}

async function share(token: string): Promise<void> {
  const link = linkOf(token)
  try {
    if (navigator.share)
      await navigator.share({ text: t('me.shareText', { program: brand.value || 'Punchcard' }), url: link })
    else if (navigator.clipboard) {
      await navigator.clipboard.writeText(link)
      toast(t('me.linkCopied'))
    } else toast(link) // browsers have neither without HTTPS
  } catch {
    /* the customer closed the dialog */
  }
}

function OwnLink(): JSX.Element {
  const [token, setToken] = useState('')
  const [busy, setBusy] = useState(false)
  const show = async (): Promise<void> => {
    setBusy(true)
    await write('POST', '/api/{store}/customer/invitation/link')
      .then((r) => setToken(r.token))
      .catch(toastFailure)
    setBusy(false)
  }
  return (
    <Card title={t('me.ownLink')}>
      <p class="muted">{t('me.ownLinkHelp')}</p>
      {token ? (
        <>
          <code class="link-text">{linkOf(token)}</code>
          <Button icon="copy" onClick={() => void share(token)}>
            {t('me.shareLink')}
          </Button>
        </>
      ) : (
        <Button icon="customers" busy={busy} onClick={busy ? undefined : show}>
          {t('me.showLink')}
        </Button>
      )}
    </Card>
  )
}

interface Rules {
  earningRules: { earningRuleId: string; type: string; name: string; description?: string }[]
}

function Rewards({ rules }: { rules: Rules['earningRules'] }): JSX.Element | null {
  const paying = rules.filter((r) => r.type === 'referral')
  if (paying.length === 0) return null
  return (
    <Card title={t('me.inviteEarns')}>
      <ul class="rows">
        {paying.map((r) => (
          <li key={r.earningRuleId}>
            <span>
              <span class="what">{r.name}</span>
              {r.description && <small class="muted">{r.description}</small>}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Invitation({ of: i }: { of: InvitationOwnView }): JSX.Element {
  const tone = i.status === 'made_purchase' ? 'success' : i.status === 'registered' ? 'accent' : 'neutral'
  return (
    <li>
      <span>
        <span class="what">{i.recipientName || i.recipientEmail || i.recipientPhone || t('me.friend')}</span>
        <small class="muted">{date(i.createdAt)}</small>
        <Badge tone={tone}>{t(`invitations.${i.status as 'invited' | 'registered' | 'made_purchase'}`)}</Badge>
      </span>
      <span class="number">
        {i.pointsEarned > 0 && `+${amount(i.pointsEarned)}`}
        {i.token && (
          <Button small onClick={() => void share(i.token!)}>
            {t('me.shareAgain')}
          </Button>
        )}
      </span>
    </li>
  )
}
