import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call, url, useQuery } from '../../api/client'
import { number, t } from '../../i18n/i18n'
import { Card } from '../../ui/basics'
import { Choice, Field } from '../../ui/form'
import { Icon } from '../../ui/icons'
import { Picker } from '../../ui/tabs'
import type { SectionProps } from './editor'
import { fieldsOf, type Values } from './types'

// WhoSection chooses the audience and says how many customers it reaches.
export function WhoSection({ form, context, chosenLater }: SectionProps & { chosenLater: boolean }): JSX.Element {
  const segments = useQuery<{ segments: { segmentId: string; name: string; customersCount?: number }[] }>('/api/{store}/segment', { perPage: 1000 })
  const { audience } = form.values
  if (chosenLater) return <Card title={t('editor.who')}><p class="muted">{t('editor.whoSegment')}</p></Card>
  return (
    <Card title={t('editor.who')}>
      <Choice form={form} path="audience" label={t('editor.audience')} options={[
        { value: 'all', text: t('editor.everybody'), help: t('editor.everybodyHelp') },
        { value: 'level', text: t('editor.byLevel') }, { value: 'segment', text: t('editor.bySegment') },
      ]} />
      {audience === 'level' && (
        <Field form={form} path="levels" label={t('editor.levels')} deep>
          {(control) => (
            <Picker {...control} options={context.levels.map((l) => ({ value: l.levelId, text: l.name ?? l.levelId }))}
              chosen={form.values.levels} onChange={(values) => form.set('levels', values)} placeholder={t('form.choose')} />
          )}
        </Field>
      )}
      {audience === 'segment' && (
        <Field form={form} path="segments" label={t('editor.segments')} deep>
          {(control) => (
            <Picker {...control} options={(segments.data?.segments ?? []).map((s) => ({ value: s.segmentId, text: s.name }))}
              chosen={form.values.segments} onChange={(values) => form.set('segments', values)} placeholder={t('form.choose')} />
          )}
        </Field>
      )}
      <Reach values={form.values} levels={context.levels.map((l) => l.levelId)} />
    </Card>
  )
}

interface Reached {
  customers: number
  total: number
  estimate: boolean
  examples: { customerId: string; name?: string }[]
}

// Reach asks how many customers the audience has, a moment after it was changed.
function Reach({ values, levels }: { values: Values; levels: string[] }): JSX.Element | null {
  const [reached, setReached] = useState<Reached | null>(null)
  const isSegment = values.audience === 'segment'
  const chosen = values.audience === 'all' ? levels : isSegment ? values.segments : values.levels
  const body = JSON.stringify({
    campaign: {
      reward: values.reward, target: isSegment ? 'segment' : 'level', levels: isSegment ? [] : chosen, segments: isSegment ? chosen : [],
      ...(fieldsOf[values.reward].visibility ? { campaignVisibility: { allTimeVisible: true } } : {}),
    },
  })
  useEffect(() => {
    setReached(null)
    if (chosen.length === 0) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      call(url('/api/{store}/campaign/audience/preview'), { method: 'POST', body: JSON.parse(body), signal: stop.signal })
        .then(async (response) => setReached((await response.json()) as Reached), () => undefined)
    }, 300)
    return () => { clearTimeout(timer); stop.abort() }
  }, [body])
  if (chosen.length === 0) return null
  const names = (reached?.examples ?? []).map((e) => e.name).filter(Boolean)
  return (
    <div class="reach" role="status" aria-busy={reached ? undefined : 'true'}>
      <Icon name="customers" />
      <div>
        <strong>
          {reached
            ? t(reached.estimate ? 'editor.reachesAbout' : 'editor.reaches', { n: reached.customers, total: number(reached.total) })
            : t('editor.counting')}
        </strong>
        {names.length > 0 && <div class="muted">{t('editor.examples', { names: names.join(', ') })}</div>}
      </div>
    </div>
  )
}
