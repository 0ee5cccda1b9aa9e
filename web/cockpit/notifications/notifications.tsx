import type { JSX } from 'preact'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Empty, Page } from '../../ui/basics'
import { Tabs } from '../../ui/tabs'
import { Announcements } from './announcements'
import { Gateway } from './gateway'
import { Pushes } from './pushes'

// Notifications shows how far rewards are announced to customers, and what was sent to the gateway. Each part is shown
// to those who may see it.
export default function Notifications(): JSX.Element {
  const [campaigns, settings] = [may('REWARD_CAMPAIGN'), may('SETTINGS')]
  if (!campaigns && !settings)
    return (
      <Empty icon="lock" title={t('error.forbidden')}>
        {t('app.askForPermission')}
      </Empty>
    )
  return (
    <Page title={t('nav.notifications')} lead={t('notifications.lead')}>
      <Tabs
        label={t('nav.notifications')}
        tabs={[
          campaigns && {
            name: 'announcements',
            title: t('notifications.announcements'),
            body: () => <Announcements />,
          },
          settings && {
            name: 'gateway',
            title: t('notifications.gateway'),
            body: () => (
              <>
                <Gateway />
                <Pushes />
              </>
            ),
          },
        ]}
      />
    </Page>
  )
}
