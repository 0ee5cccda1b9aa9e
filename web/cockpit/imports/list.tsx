import type { JSX } from 'preact'
import type { DataimportView } from '../../api/types'
import { number, t } from '../../i18n/i18n'
import { Badge, ButtonLink, Empty, Page, Time, type Tone } from '../../ui/basics'
import { List } from '../../ui/table'
import { kindOf, kindsFor } from './kinds'

const tones: Record<string, Tone> = {
  uploading: 'accent',
  waiting: 'accent',
  running: 'accent',
  finished: 'success',
  cancelled: 'neutral',
  failed: 'danger',
  undoing: 'accent',
  undone: 'neutral',
}

// goesOn reports whether the progress of an import changes by itself.
export function goesOn(i: DataimportView): boolean {
  return ['uploading', 'waiting', 'running', 'undoing'].includes(i.state)
}

export function kindText(name: string): string {
  const kind = kindOf(name)
  return kind ? t(kind.title) : name
}

export function State({ of: i }: { of: DataimportView }): JSX.Element {
  return <Badge tone={tones[i.state]}>{t(`imports.state.${i.state as 'running'}`)}</Badge>
}

// Imports lists the files that were imported, with what became of them.
export default function Imports(): JSX.Element {
  const create = kindsFor('MODIFY').length > 0 && (
    <ButtonLink kind="primary" icon="upload" to="/imports/new">
      {t('imports.new')}
    </ButtonLink>
  )
  return (
    <Page title={t('nav.imports')} lead={t('imports.lead')} actions={create}>
      <List
        label={t('nav.imports')}
        path="/api/{store}/admin/import"
        read={(r) => ({ rows: r.imports, total: r.total })}
        rowKey={(i) => i.importId}
        to={(i) => `/imports/${i.importId}`}
        changing={(rows) => rows.some(goesOn)}
        filters={[
          {
            name: 'kind',
            title: t('imports.anyKind'),
            options: kindsFor('VIEW').map((k) => ({ value: k.name, text: t(k.title) })),
          },
          {
            name: 'state',
            title: t('imports.anyState'),
            options: Object.keys(tones).map((value) => ({ value, text: t(`imports.state.${value as 'running'}`) })),
          },
        ]}
        columns={[
          {
            name: 'kind',
            title: t('imports.what'),
            cell: (i) => (
              <>
                <span class="primary-line">
                  {kindText(i.kind)}
                  {i.dryRun && (
                    <>
                      {' '}
                      <Badge>{t('imports.dryRun')}</Badge>
                    </>
                  )}
                </span>
                <span class="second-line">{i.fileName}</span>
              </>
            ),
          },
          { name: 'state', title: t('campaigns.state'), cell: (i) => <State of={i} /> },
          {
            name: 'done',
            title: t('imports.done'),
            number: true,
            wide: true,
            cell: (i) => (i.dryRun ? '–' : number(i.totalSuccess)),
          },
          { name: 'failed', title: t('imports.refused'), number: true, wide: true, cell: (i) => number(i.totalFailed) },
          {
            name: 'created',
            title: t('imports.created'),
            wide: true,
            cell: (i) => (
              <>
                <span class="primary-line">
                  <Time at={i.createdAt} />
                </span>
                <span class="second-line">{i.createdBy}</span>
              </>
            ),
          },
        ]}
        empty={
          <Empty icon="upload" title={t('imports.empty')} action={create}>
            {t('imports.emptyHelp')}
          </Empty>
        }
      />
    </Page>
  )
}
