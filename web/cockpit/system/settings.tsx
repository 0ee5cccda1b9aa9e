import type { ComponentChildren, JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { get, storedAt, useQuery, write } from '../../api/client'
import { may, store } from '../../api/session'
import type { StoreSettingsView } from '../../api/types'
import { t, type Key } from '../../i18n/i18n'
import { ErrorState, Notice, Page, Skeleton } from '../../ui/basics'
import { toast } from '../../ui/dialog'
import { Form, useForm, type FormState } from '../../ui/form'
import { FactorRule } from '../factors'
import { CustomersSection, LevelsSection, MessagesSection, PaymentsSection, PointsSection } from './settings_rules'
import { LinksSection, LookSection, ProgramSection } from './settings_program'
import { bodyOf, valuesOf, type SectionProps, type Values } from './settings_values'

const sections: { name: string; title: Key; body: (props: SectionProps) => JSX.Element }[] = [
  { name: 'program', title: 'settings.program', body: ProgramSection },
  { name: 'look', title: 'settings.look', body: LookSection },
  { name: 'links', title: 'settings.links', body: LinksSection },
  { name: 'points', title: 'settings.points', body: PointsSection },
  { name: 'levels', title: 'settings.levels', body: LevelsSection },
  { name: 'customers', title: 'settings.customers', body: CustomersSection },
  { name: 'payments', title: 'settings.payments', body: PaymentsSection },
  { name: 'messages', title: 'settings.messages', body: MessagesSection },
]

// sellers are apart from the form: their rule is saved by itself, and needs another permission.
const sellers: { name: string; title: Key } = { name: 'sellers', title: 'factorRule.sellers' }

const path = '/api/{store}/settings'

// Settings edits what a store decides for itself, all sections in one form.
export default function Settings(): JSX.Element {
  const found = useQuery(path)
  return (
    <Page title={t('nav.settings')} lead={t('settings.lead')}>
      {found.data ? (
        <Loaded key={store.value} settings={found.data.settings} />
      ) : found.error ? (
        <ErrorState error={found.error} retry={found.reload} />
      ) : (
        <Skeleton lines={12} />
      )}
    </Page>
  )
}

function Loaded({ settings }: { settings: StoreSettingsView }): JSX.Element {
  const mayEdit = may('SETTINGS', 'MODIFY')
  const initial = useMemo(() => valuesOf(settings), [])
  const before = useMemo(() => ({ current: initial }), [])
  const form: FormState<Values> = useForm<Values>(
    initial,
    async (values, key, tag) => {
      const now = await get(path)
      const saved = await write('POST', path, {
        body: { settings: bodyOf(values, before.current, now.settings) },
        key,
        tag,
      })
      before.current = valuesOf(saved.settings)
      form.replace(before.current)
      toast(t('settings.saved'))
    },
    true,
    storedAt(path, {}, (now) => valuesOf(now.settings)),
  )
  const props = { form, settings, mayEdit }
  return (
    <div class="settings">
      <nav class="settings-nav" aria-label={t('settings.sections')}>
        {[...sections, ...(may('SELLER') ? [sellers] : [])].map((s) => (
          <button key={s.name} type="button" onClick={() => show(s.name)}>
            {t(s.title)}
          </button>
        ))}
      </nav>
      <div class="stack">
        {mayEdit ? (
          <Form form={form} sticky>
            <Sections {...props} />
          </Form>
        ) : (
          <>
            <Notice>{t('settings.readOnly')}</Notice>
            <fieldset class="stack" disabled>
              <Sections {...props} />
            </fieldset>
          </>
        )}
        {may('SELLER') && (
          <Section name={sellers.name} title={t(sellers.title)}>
            <RuleOfSellers />
          </Section>
        )}
      </div>
    </div>
  )
}

function Sections(props: SectionProps): JSX.Element {
  return (
    <>
      {sections.map(({ name, title, body: Body }) => (
        <Section key={name} name={name} title={t(title)}>
          <Body {...props} />
        </Section>
      ))}
    </>
  )
}

function RuleOfSellers(): JSX.Element {
  const rulePath = '/api/{store}/seller/factor-rule'
  const rule = useQuery(rulePath)
  return (
    <FactorRule
      rule={rule}
      text={t('factorRule.ofSellers')}
      mayEdit={may('SELLER', 'MODIFY')}
      save={(factorRule) => write('PUT', rulePath, { body: { factorRule } })}
    />
  )
}

function Section({ name, title, children }: { name: string; title: string; children: ComponentChildren }): JSX.Element {
  return (
    <section class="card" id={`section-${name}`} aria-labelledby={`title-${name}`}>
      <header>
        <h2 id={`title-${name}`} tabIndex={-1}>
          {title}
        </h2>
      </header>
      {children}
    </section>
  )
}

function show(name: string): void {
  document.getElementById(`section-${name}`)?.scrollIntoView({ block: 'start' })
  document.getElementById(`title-${name}`)?.focus({ preventScroll: true })
}
