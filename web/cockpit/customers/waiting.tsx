// Says what holds for customers whom the store cannot send messages about their accounts, and how many wait for one.
import type { ComponentChildren, JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { get, newKey, settled, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import type { MessageStatusView, StoreSettingsAnswer } from '../../api/types'
import { t } from '../../i18n/i18n'
import { Button, ButtonLink, Notice, Skeleton } from '../../ui/basics'
import { Confirm, toast } from '../../ui/dialog'

const settingsPath = '/api/{store}/settings'
const statusPath = '/api/{store}/admin/message/status'

// sends reports whether messages about accounts, such as links and codes, reach customers.
function sends(status: MessageStatusView, method: string): boolean {
  const channel = method === 'sms' ? 'sms' : 'email'
  return (
    status.mailbox ||
    ((channel === 'sms' || status.publicUrl !== '') && status.channels.some((c) => c.channel === channel && c.working))
  )
}

// useSending reports whether messages about accounts reach customers, by the contact that the store uses unless another
// is named. It is true until the answer is known, and for those who may not know.
export function useSending(method?: string): boolean {
  const status = useQuery(may('SETTINGS') ? statusPath : null).data
  const settings = useQuery(may('SETTINGS') && !method ? settingsPath : null).data?.settings
  const used = method ?? settings?.preferredCommunicationMethod
  return !status || used === undefined || sends(status, used)
}

// WaitingForActivation shows that above its children, at the same time as they appear.
export function WaitingForActivation({ children }: { children: ComponentChildren }): JSX.Element {
  const status = useQuery(may('SETTINGS') ? statusPath : null)
  const settings = useQuery(may('SETTINGS') ? settingsPath : null)
  if (!settled(status, settings)) return <Skeleton lines={8} />
  return (
    <>
      <Warning status={status.data} settings={settings.data?.settings} />
      {children}
    </>
  )
}

function Warning({
  status,
  settings,
}: {
  status?: MessageStatusView
  settings?: StoreSettingsAnswer['settings']
}): JSX.Element | null {
  const [asks, setAsks] = useState(false)
  if (
    !status ||
    !settings ||
    status.customersWaitingForActivation === 0 ||
    sends(status, settings.preferredCommunicationMethod)
  )
    return null
  return (
    <Notice tone="warning" title={t('account.waitingCount', { n: status.customersWaitingForActivation })}>
      {t('account.noChannel')}
      <div class="row">
        <ButtonLink small to="/customers" query={{ status: 'new' }}>
          {t('account.showWaiting')}
        </ButtonLink>
        {may('SETTINGS', 'MODIFY') && settings.accountActivationRequired && (
          <Button small onClick={() => setAsks(true)}>
            {t('account.noActivation')}
          </Button>
        )}
      </div>
      {asks && <SwitchOff onClose={() => setAsks(false)} />}
    </Notice>
  )
}

// withoutActivation lets customers who register sign in at once. It sends all switches of the store, because those that
// are not sent are switched off.
export async function withoutActivation(key?: string): Promise<void> {
  const { settings } = await get(settingsPath)
  const switches = Object.fromEntries(Object.entries(settings).filter(([, value]) => typeof value === 'boolean'))
  await write('POST', settingsPath, { body: { settings: { ...switches, accountActivationRequired: false } }, key })
  toast(t('messages.activationOff'))
}

function SwitchOff({ onClose }: { onClose: () => void }): JSX.Element {
  const key = useRef(newKey())
  return (
    <Confirm
      title={t('account.noActivation')}
      action={t('account.noActivation')}
      onClose={onClose}
      onConfirm={() => withoutActivation(key.current)}
    >
      {t('account.noActivationText')}
    </Confirm>
  )
}
