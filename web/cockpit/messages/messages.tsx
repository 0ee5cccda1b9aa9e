import type { JSX } from 'preact'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Page } from '../../ui/basics'
import { Tabs } from '../../ui/tabs'
import { Delivery } from './delivery'
import { Mailbox } from './mailbox'
import { Refused } from './refused'
import { Texts } from './texts'

// Messages shows what the store writes to people.
export default function Messages(): JSX.Element {
  return (
    <Page title={t('nav.messages')} lead={t('messages.lead')}>
      <Tabs
        label={t('nav.messages')}
        tabs={[
          { name: 'texts', title: t('messages.texts'), body: () => <Texts /> },
          may('CUSTOMER') && { name: 'sent', title: t('messages.sent'), body: () => <Mailbox /> },
          may('CUSTOMER') && { name: 'refused', title: t('messages.refused'), body: () => <Refused /> },
          { name: 'delivery', title: t('messages.delivery'), body: () => <Delivery /> },
        ]}
      />
    </Page>
  )
}
