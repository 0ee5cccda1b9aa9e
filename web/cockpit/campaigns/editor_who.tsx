import type { JSX } from 'preact'
import { usePreview, useQuery } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Card } from '../../ui/basics'
import { Choice, Field } from '../../ui/form'
import { Picker } from '../../ui/tabs'
import { sentAudience } from '../audience'
import { ReachCount } from '../reach'
import { fieldsOf, type SectionProps, type Values } from './types'

// WhoSection chooses the audience and says how many customers it reaches.
export function WhoSection({ form, context, chosenLater }: SectionProps & { chosenLater: boolean }): JSX.Element {
  const segments = useQuery('/api/{store}/segment', { perPage: 1000 })
  const { audience } = form.values
  if (chosenLater)
    return (
      <Card title={t('editor.who')}>
        <p class="muted">{t('editor.whoSegment')}</p>
      </Card>
    )
  return (
    <Card title={t('editor.who')}>
      <Choice
        form={form}
        path="audience"
        label={t('editor.audience')}
        options={[
          { value: 'all', text: t('editor.everybody'), help: t('editor.everybodyHelp') },
          { value: 'level', text: t('editor.byLevel') },
          { value: 'segment', text: t('editor.bySegment') },
        ]}
      />
      {audience === 'level' && (
        <Field form={form} path="levels" label={t('editor.levels')} deep>
          {(control) => (
            <Picker
              {...control}
              options={context.levels.map((l) => ({ value: l.levelId, text: l.name ?? l.levelId }))}
              chosen={form.values.levels}
              onChange={(values) => form.set('levels', values)}
              placeholder={t('form.choose')}
            />
          )}
        </Field>
      )}
      {audience === 'segment' && (
        <Field form={form} path="segments" label={t('editor.segments')} deep>
          {(control) => (
            <Picker
              {...control}
              options={(segments.data?.segments ?? []).map((s) => ({ value: s.segmentId, text: s.name }))}
              chosen={form.values.segments}
              onChange={(values) => form.set('segments', values)}
              placeholder={t('form.choose')}
            />
          )}
        </Field>
      )}
      <Reach values={form.values} />
    </Card>
  )
}

// Reach asks how many customers the audience has.
function Reach({ values }: { values: Values }): JSX.Element | null {
  const { audience, levels, segments } = values
  const isChosen = audience === 'all' || (audience === 'segment' ? segments : levels).length > 0
  const reached = usePreview(
    '/api/{store}/campaign/audience/preview',
    !isChosen
      ? null
      : {
          campaign: {
            reward: values.reward,
            ...sentAudience(values),
            ...(fieldsOf[values.reward].visibility ? { campaignVisibility: { allTimeVisible: true } } : {}),
          },
        },
  )
  if (!isChosen) return null
  return <ReachCount reached={reached} />
}
