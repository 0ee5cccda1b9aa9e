// What the editor says after the campaign is saved: the progress of its pictures, and what did not work.
import type { JSX } from 'preact'
import type { CampaignUploadReport } from '../../api/types'
import { t } from '../../i18n/i18n'
import { Button, failureText, fieldText, Notice } from '../../ui/basics'
import { Dialog } from '../../ui/dialog'
import { CodesReport } from './page_codes'
import type { FailedPicture } from './saving'

// SavingPictures shows how many pictures are saved.
export function SavingPictures({ step, of }: { step: number; of: number }): JSX.Element {
  const text = t('pictures.saving', { step, of })
  return (
    <div class="toasts" role="status">
      <div class="toast">
        <progress class="progress" max={of} value={step - 1} aria-label={text} />
        <span>{text}</span>
      </div>
    </div>
  )
}

// Outcome is what the user should know before they see the saved campaign.
export interface Outcome {
  failed: FailedPicture[]
  report: CampaignUploadReport | undefined // if codes were left out
  retry: () => void
  leave: () => void
}

export function AfterSaving({
  outcome: { failed, report, retry, leave },
  name,
}: {
  outcome: Outcome
  name: string
}): JSX.Element {
  return (
    <Dialog title={t('campaigns.saved', { name })} onClose={leave}>
      <div class="stack">
        {report && <CodesReport report={report} />}
        {failed.length > 0 && (
          <Notice tone="danger" title={t('pictures.notSaved', { n: failed.length })}>
            <ul>
              {failed.map((f, i) => (
                <li key={i}>
                  {f.name}: {reasonOf(f)}
                </li>
              ))}
            </ul>
          </Notice>
        )}
        <footer>
          {failed.length > 0 && (
            <Button icon="refresh" onClick={retry}>
              {t('action.retry')}
            </Button>
          )}
          <Button kind="primary" onClick={leave}>
            {t('action.done')}
          </Button>
        </footer>
      </div>
    </Dialog>
  )
}

// reasonOf prefers the error of the file to that of the whole request.
function reasonOf({ failure }: FailedPicture): string {
  const errors = Object.values(failure.fields).flat()
  return errors.length > 0 ? errors.map(fieldText).join(' ') : failureText(failure)
}
