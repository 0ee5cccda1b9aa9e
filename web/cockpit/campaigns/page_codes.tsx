import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { CampaignFull, CampaignUploadReport } from '../../api/types'
import { download, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { number, t } from '../../i18n/i18n'
import { Badge, Button, Copy, Empty, Notice } from '../../ui/basics'
import { Confirm, Dialog, Menu, toast, toastFailure } from '../../ui/dialog'
import { Form, TextArea, useForm } from '../../ui/form'
import { List } from '../../ui/table'
import { CodesFile, GenerateFields, usualCodes } from './code_fields'

// Codes lists the codes of a campaign, adds and generates others, and deletes those that are not sold.
export function Codes({ campaign: c }: { campaign: CampaignFull }): JSX.Element {
  const campaign = c.campaignId
  const [dialog, setDialog] = useState<'generate' | 'add' | 'delete' | null>(null)
  const first = useQuery('/api/{store}/campaign/{campaign}/codes', { campaign, perPage: 1 })
  const left = first.data?.left ?? 0
  const close = (): void => setDialog(null)
  const save = (): void =>
    void download(
      '/api/{store}/campaign/{campaign}/codes/export/csv',
      { campaign },
      `codes-${c.name ?? c.campaignId}.csv`,
    ).catch(toastFailure)
  const canModify = may('REWARD_CAMPAIGN', 'MODIFY')
  return (
    <>
      <Batches campaign={campaign} onDone={first.reload} />
      <List
        label={t('editor.codes')}
        path="/api/{store}/campaign/{campaign}/codes"
        params={{ campaign }}
        read={(r) => ({ rows: r.codes, total: r.total })}
        rowKey={(row) => row.code}
        search="code"
        filters={[
          {
            name: 'state',
            title: t('codes.anyState'),
            options: [
              { value: 'free', text: t('codes.free') },
              { value: 'sold', text: t('codes.sold') },
            ],
          },
        ]}
        columns={[
          { name: 'code', title: t('editor.singleCode'), cell: (row) => <Copy text={row.code} /> },
          {
            name: 'state',
            title: t('campaigns.state'),
            cell: (row) =>
              row.state === 'sold' ? <Badge>{t('codes.sold')}</Badge> : <Badge tone="success">{t('codes.free')}</Badge>,
          },
        ]}
        actions={
          <>
            <span class="muted">{t('codes.left', { n: left })}</span>
            {canModify && (
              <Button icon="plus" kind="primary" onClick={() => setDialog('generate')}>
                {t('editor.generateMore')}
              </Button>
            )}
            <Menu
              label={t('campaigns.moreActions')}
              class="button square"
              items={[
                canModify && { text: t('codes.add'), onClick: () => setDialog('add') },
                { text: t('codes.download'), onClick: save },
                canModify && left > 0 && { text: t('codes.delete'), danger: true, onClick: () => setDialog('delete') },
              ]}
            />
          </>
        }
        empty={
          <Empty icon="coupon" title={t('codes.empty')}>
            {t('codes.emptyHelp')}
          </Empty>
        }
      />
      {dialog === 'generate' && <Generate campaign={campaign} onClose={close} />}
      {dialog === 'add' && <Add campaign={campaign} onClose={close} />}
      {dialog === 'delete' && (
        <Confirm
          title={t('codes.delete')}
          action={t('codes.deleteNow', { n: left })}
          onClose={close}
          onConfirm={async () => {
            const done = await write('DELETE', '/api/{store}/campaign/{campaign}/codes', { params: { campaign } })
            toast(t('codes.deleted', { n: done.deleted }))
          }}
        >
          {t('codes.deleteHelp', { n: left, name: c.name ?? '' })}
        </Confirm>
      )}
    </>
  )
}

// Batches shows the progress of codes that are being generated.
function Batches({ campaign, onDone }: { campaign: string; onDone: () => void }): JSX.Element | null {
  const batches = useQuery('/api/{store}/campaign/{campaign}/codes/batches', { campaign, perPage: 5 })
  const running = (batches.data?.batches ?? []).filter((b) => b.state === 'running')
  useEffect(() => {
    if (running.length === 0) return
    const timer = setInterval(() => {
      batches.reload()
      onDone()
    }, 1500)
    return () => clearInterval(timer)
  }, [running.length])
  if (running.length === 0) return null
  return (
    <>
      {running.map((b) => (
        <Notice key={b.batchId} tone="accent" title={t('codes.generating', { done: b.added, total: b.requested })}>
          <progress
            class="progress"
            max={b.requested}
            value={b.added}
            aria-label={t('codes.generating', { done: b.added, total: b.requested })}
          />
        </Notice>
      ))}
    </>
  )
}

function Generate({ campaign, onClose }: { campaign: string; onClose: () => void }): JSX.Element {
  const form = useForm(usualCodes, async (values, key) => {
    await write('POST', '/api/{store}/campaign/{campaign}/codes/generate', {
      params: { campaign },
      body: { codes: values },
      key,
    })
    toast(t('codes.ordered', { n: Number(values.count) }))
    onClose()
  })
  return (
    <Dialog title={t('editor.generateMore')} onClose={onClose}>
      <Form form={form} save={t('editor.generate')} cancel={onClose}>
        <GenerateFields form={form} autoFocus />
      </Form>
    </Dialog>
  )
}

function Add({ campaign, onClose }: { campaign: string; onClose: () => void }): JSX.Element {
  const [report, setReport] = useState<CampaignUploadReport | null>(null)
  const form = useForm({ text: '', file: null as File | null }, async (values, key) => {
    const body = { codes: { text: values.text, file: values.file ?? undefined } }
    setReport(await write('POST', '/api/{store}/campaign/{campaign}/codes', { params: { campaign }, body, key }))
  })
  return (
    <Dialog title={t('codes.add')} onClose={onClose}>
      {report ? (
        <div class="stack">
          <CodesReport report={report} />
          <footer>
            <Button kind="primary" onClick={onClose}>
              {t('action.done')}
            </Button>
          </footer>
        </div>
      ) : (
        <Form form={form} save={t('codes.addNow')} cancel={onClose}>
          <TextArea form={form} path="text" label={t('editor.pasted')} rows={6} optional />
          <CodesFile form={form} path="file" optional />
        </Form>
      )}
    </Dialog>
  )
}

// CodesReport says what became of uploaded codes.
export function CodesReport({ report }: { report: CampaignUploadReport }): JSX.Element {
  const texts: Record<string, string> = {
    duplicateInUpload: t('codes.duplicateInUpload'),
    alreadyInCampaign: t('codes.alreadyInCampaign'),
    tooLong: t('codes.tooLong'),
    invalidCharacters: t('codes.invalidCharacters'),
  }
  return (
    <>
      <Notice tone={report.added > 0 ? 'success' : 'warning'} title={t('codes.added', { n: report.added })}>
        {report.skipped > 0 && t('codes.skipped', { n: report.skipped })}
      </Notice>
      {report.reasons.map((r) => (
        <p key={r.reason}>
          <strong>
            {texts[r.reason] ?? r.reason}: {number(r.count)}
          </strong>
          <br />
          <span class="muted">
            {r.examples.join(', ')}
            {r.count > r.examples.length ? ', …' : ''}
          </span>
        </p>
      ))}
    </>
  )
}
