import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CustomerDetail } from '../../api/types'
import { download } from '../../api/client'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Badge, Button, Card, Facts } from '../../ui/basics'
import { toastFailure } from '../../ui/dialog'
import { isAnonymous } from './name'

// Privacy shows what the customer agreed to, and serves their rights: a copy of the data, and anonymising.
export function Privacy({
  customer: c,
  onAnonymize,
}: {
  customer: CustomerDetail
  onAnonymize: () => void
}): JSX.Element {
  const [busy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    setBusy(true)
    try {
      await download(
        '/api/{store}/admin/customer/{customer}/export',
        { customer: c.customerId },
        `customer_${c.customerId}.json`,
      )
    } catch (error) {
      toastFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const yesNo = (on: boolean): JSX.Element => (
    <Badge tone={on ? 'success' : 'neutral'}>{on ? t('customers.yes') : t('customers.no')}</Badge>
  )
  return (
    <>
      <Card title={t('customers.agreements')}>
        <Facts
          items={[
            [t('customers.agreement1'), yesNo(c.agreement1)],
            [t('customers.agreement2'), yesNo(c.agreement2)],
            [t('customers.agreement3'), yesNo(c.agreement3)],
          ]}
        />
      </Card>
      <Card title={t('privacy.export')}>
        <p>{t('privacy.exportHelp')}</p>
        <div>
          <Button icon="download" busy={busy} onClick={busy ? undefined : save}>
            {t('privacy.exportButton')}
          </Button>
        </div>
      </Card>
      {may('CUSTOMER', 'MODIFY') && !isAnonymous(c) && (
        <Card title={t('privacy.anonymize')}>
          <p>{t('privacy.anonymizeHelp')}</p>
          <div>
            <Button kind="danger" onClick={onAnonymize}>
              {t('privacy.anonymizeButton')}
            </Button>
          </div>
        </Card>
      )}
    </>
  )
}
