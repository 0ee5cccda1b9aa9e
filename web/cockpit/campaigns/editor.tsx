import type { JSX } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { CampaignFull, LevelListOfLevelView } from '../../api/types'
import { useQuery, write } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Button, Empty, ErrorState, Notice, Page, Skeleton } from '../../ui/basics'
import { toast } from '../../ui/dialog'
import { Form, useForm, type FormState } from '../../ui/form'
import { navigate, type RouteProps } from '../../ui/router'
import { useLanguages, type StoreLanguage } from '../languages'
import { addCodes, CodesSection } from './editor_codes'
import { LimitsSection, WhenSection } from './editor_terms'
import { WhatSection } from './editor_what'
import { WhoSection } from './editor_who'
import { Preview } from './preview'
import { recipes, valuesOfRecipe, type Companion, type Context } from './recipes'
import { bodyOf, fieldsOf, valuesOf, type Values } from './types'

export interface SectionProps {
  form: FormState<Values>
  languages: StoreLanguage[]
  context: Context
}

// Editor edits a campaign, or a new one that a recipe has filled in.
export default function Editor({ params }: RouteProps): JSX.Element {
  const id = params['campaign']
  const campaign = useQuery<CampaignFull>(id ? `/api/{store}/campaign/${id}` : null, { withoutCoupons: 1 })
  const levels = useQuery<LevelListOfLevelView>('/api/{store}/level', { perPage: 1000 })
  const languages = useLanguages()
  const recipe = recipes.find((r) => r.name === params['recipe'])
  const back = id ? { to: `/campaigns/${id}`, text: campaign.data?.name ?? t('nav.campaigns') } : { to: '/campaigns/new', text: t('campaigns.recipes') }
  const title = id ? t('campaigns.edit') : t('campaigns.new')
  const error = campaign.error ?? levels.error
  if (error && !(levels.data && (!id || campaign.data))) {
    return <Page title={title} back={back}><ErrorState error={error} retry={() => { campaign.reload(); levels.reload() }} /></Page>
  }
  if (!id && !recipe) return <Page title={title} back={back}><Empty icon="search" title={t('app.noScreen')} /></Page>
  if (!levels.data || languages.length === 0 || (id && !campaign.data)) return <Page title={title} back={back}><Skeleton lines={8} /></Page>
  return (
    <Page title={title} back={back} lead={recipe && t(recipe.title)}>
      <Loaded id={id} campaign={campaign.data} languages={languages} companions={recipe?.companions ?? []} recipe={params['recipe']}
        context={{ levels: levels.data.levels, language: languages[0]!.code }} />
    </Page>
  )
}

interface LoadedProps {
  id: string | undefined
  campaign: CampaignFull | undefined
  languages: StoreLanguage[]
  companions: Companion[]
  recipe: string | undefined
  context: Context
}

function Loaded({ id, campaign, languages, companions, recipe, context }: LoadedProps): JSX.Element {
  const allLevels = context.levels.map((l) => l.levelId)
  const initial = useMemo(
    () => (campaign ? valuesOf(campaign, allLevels) : valuesOfRecipe(recipes.find((r) => r.name === recipe)!, context)), [],
  )
  const activate = useRef(campaign?.active ?? true)
  const form: FormState<Values> = useForm<Values>(initial, async (values, key) => {
    const target = await save(id, values, key, companions, context, activate.current)
    toast(t(id ? 'campaigns.saved' : activate.current ? 'campaigns.live' : 'campaigns.savedDraft', { name: nameOf(values, context) }))
    navigate(`/campaigns/${target}`)
  })
  const fields = fieldsOf[form.values.reward]
  const section = { form, languages, context }
  const draft = !id && <Button onClick={() => { activate.current = false; void form.submit() }}>{t('campaigns.saveDraft')}</Button>
  return (
    <div class="editor">
      <div onKeyDownCapture={() => { if (!id) activate.current = true }} onPointerDownCapture={() => { if (!id) activate.current = true }}>
        <Form form={form} save={id ? t('action.save') : t('campaigns.activate')} extra={draft} sticky
          cancel={id ? () => navigate(`/campaigns/${id}`) : undefined}>
          {companions.map((c) => <CompanionNotice key={c.kind} companion={c} />)}
          <WhatSection {...section} />
          <WhoSection {...section} chosenLater={companions.some((c) => c.before)} />
          <WhenSection {...section} />
          {(fields.price || fields.limits || fields.validity) && <LimitsSection {...section} />}
          {fields.codes && <CodesSection {...section} stored={campaign} />}
        </Form>
      </div>
      <aside class="editor-preview" aria-label={t('campaigns.preview')}>
        <Preview values={form.values} languages={languages} context={context} />
      </aside>
    </div>
  )
}

function CompanionNotice({ companion }: { companion: Companion }): JSX.Element {
  return (
    <Notice tone="accent" title={t(`recipe.alsoCreates.${companion.kind}`)}>{companion.name()}</Notice>
  )
}

// nameOf returns the name of a campaign in the store's default language, or in any.
export function nameOf(values: Values, context: Context): string {
  return values.translations[context.language]?.name || Object.values(values.translations).find((texts) => texts.name)?.name || ''
}

// save writes the campaign and what belongs to it. Each step has a key of its own, derived from the intent, so that
// trying again after a lost connection repeats no step that was done.
async function save(
  id: string | undefined, values: Values, key: string, companions: Companion[], context: Context, active: boolean,
): Promise<string> {
  let complete = values
  for (const [i, companion] of companions.entries()) {
    if (companion.before) complete = await companion.before(complete, `${key}-before-${i}`)
  }
  const body = { campaign: bodyOf(complete, active, context.levels.map((l) => l.levelId), nameOf(values, context)) }
  const saved = id
    ? await write<{ campaignId: string }>('PUT', `/api/{store}/campaign/${id}`, body, key)
    : await write<{ campaignId: string }>('POST', '/api/{store}/campaign', body, key)
  await addCodes(saved.campaignId, complete, `${key}-codes`)
  for (const [i, companion] of companions.entries()) {
    await companion.after?.(saved.campaignId, complete, `${key}-after-${i}`, context)
  }
  return saved.campaignId
}
