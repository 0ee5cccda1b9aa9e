import type { JSX } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import type { CampaignFull } from '../../api/types'
import { get, storedAt, useQuery } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Button, Empty, ErrorState, Notice, Page, Skeleton } from '../../ui/basics'
import { toast } from '../../ui/dialog'
import { Form, useForm, type FormState } from '../../ui/form'
import { leave, navigate, useGuard, type RouteProps } from '../../ui/router'
import { useLanguages, type StoreLanguage } from '../languages'
import { CodesSection } from './editor_codes'
import { PicturesSection } from './editor_pictures'
import { AfterSaving, SavingPictures, type Outcome } from './editor_saved'
import { LimitsSection, WhenSection } from './editor_terms'
import { WhatSection } from './editor_what'
import { WhoSection } from './editor_who'
import { Preview } from './preview'
import { recipes, valuesOfRecipe, type Companion, type Recipe } from './recipes'
import { nothing, save, savePictures } from './saving'
import { fieldsOf, nameOf, valuesOf, type Context, type Values } from './types'

// Editor edits a campaign, or a new one that a recipe has filled in.
export default function Editor({ params }: RouteProps): JSX.Element {
  const id = params['campaign']
  const campaign = useQuery('/api/{store}/campaign/{campaign}', { campaign: id, withoutCoupons: 1 })
  // The first code is that of a campaign with a single one. There may be too many to read them with the campaign.
  const codes = useQuery('/api/{store}/campaign/{campaign}/codes', { campaign: id, perPage: 1 })
  const levels = useQuery('/api/{store}/level', { perPage: 1000 })
  const languages = useLanguages()
  const recipe = recipes.find((r) => r.name === params['recipe'])
  const back = id
    ? { to: `/campaigns/${id}`, text: campaign.data?.name ?? t('nav.campaigns') }
    : { to: '/campaigns/new', text: t('campaigns.recipes') }
  const title = id ? t('campaigns.edit') : t('campaigns.new')
  const error = campaign.error ?? codes.error ?? levels.error
  const isLoaded = languages.length > 0 && (!id || (campaign.data && codes.data))
  if (error && !(isLoaded && levels.data)) {
    const retry = (): void => [campaign, codes, levels].forEach((q) => q.reload())
    return (
      <Page title={title} back={back}>
        <ErrorState error={error} retry={retry} />
      </Page>
    )
  }
  if (!id && !recipe)
    return (
      <Page title={title} back={back}>
        <Empty icon="search" title={t('app.noScreen')} />
      </Page>
    )
  if (!isLoaded || !levels.data)
    return (
      <Page title={title} back={back}>
        <Skeleton lines={8} />
      </Page>
    )
  return (
    <Page title={title} back={back} lead={recipe && t(recipe.title)}>
      <Loaded
        id={id}
        campaign={campaign.data}
        firstCode={codes.data?.codes[0]?.code ?? ''}
        recipe={recipe}
        languages={languages}
        context={{ levels: levels.data.levels, language: languages[0]!.code }}
      />
    </Page>
  )
}

interface LoadedProps {
  id: string | undefined
  campaign: CampaignFull | undefined
  firstCode: string
  recipe: Recipe | undefined // of a new campaign
  languages: StoreLanguage[]
  context: Context
}

function Loaded({ id, campaign: latest, firstCode, recipe, languages, context }: LoadedProps): JSX.Element {
  const campaign = useMemo(() => latest, []) // as it was opened, also while it is being saved
  const initial = useMemo(() => (campaign ? valuesOf(campaign, firstCode) : valuesOfRecipe(recipe!, context)), [])
  const companions = recipe?.companions ?? []
  const asDraft = useRef(false)
  const isActive = useRef(campaign?.active ?? true)
  const done = useRef(nothing())
  const [uploading, setUploading] = useState<[step: number, of: number] | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  useGuard(uploading !== null)
  // finish saves the pictures, those that are left if it is called again, and shows the campaign.
  const finish = async (saved: Saved): Promise<void> => {
    setOutcome(null)
    const failed = await savePictures(saved.target, saved.values, namesOfPictures(campaign), done.current, (step, of) =>
      setUploading([step, of]),
    )
    setUploading(null)
    const { codes } = done.current
    const report = typeof codes === 'object' && codes.skipped > 0 ? codes : undefined
    if (failed.length > 0 || report) {
      setOutcome({
        failed,
        report,
        retry: () => void finish(saved),
        leave: () => navigate(`/campaigns/${saved.target}`),
      })
      return
    }
    toast(saved.text)
    leave(`/campaigns/${saved.target}`)
  }
  const form: FormState<Values> = useForm<Values>(
    initial,
    async (values, key, tag) => {
      const active = asDraft.current ? false : isActive.current
      asDraft.current = false
      const target = await save(values, key, { id, tag, active, companions, context }, done.current)
      const text = t(id ? 'campaigns.saved' : active ? 'campaigns.live' : 'campaigns.savedDraft', {
        name: nameOf(values, context),
      })
      await finish({ target, values, text })
    },
    true,
    id
      ? async () => {
          const { values: now, tag } = await storedAt(
            '/api/{store}/campaign/{campaign}',
            { campaign: id, withoutCoupons: 1 },
            (found) => found,
          )()
          const code =
            (await get('/api/{store}/campaign/{campaign}/codes', { campaign: id, perPage: 1 })).codes[0]?.code ?? ''
          isActive.current = now.active // which is switched elsewhere
          return { values: valuesOf(now, code), tag }
        }
      : undefined,
  )
  const fields = fieldsOf[form.values.reward]
  const section = { form, languages, context }
  const saveDraft = (): void => {
    if (form.busy) return
    asDraft.current = true
    void form.submit()
  }
  const isPartlySaved = form.failure && done.current.campaign && !id
  return (
    <div class="editor">
      <div>
        <Form
          form={form}
          save={id ? t('action.save') : t('campaigns.activate')}
          sticky
          extra={!id && <Button onClick={saveDraft}>{t('campaigns.saveDraft')}</Button>}
          cancel={id ? () => navigate(`/campaigns/${id}`) : undefined}
        >
          {isPartlySaved && (
            <Notice tone="warning" title={t('editor.partlySaved')}>
              {t('editor.partlySavedHelp')}
            </Notice>
          )}
          {companions.map((c) => (
            <CompanionNotice key={c.kind} companion={c} />
          ))}
          <WhatSection {...section} />
          <WhoSection {...section} chosenLater={companions.some((c) => c.before)} />
          <WhenSection {...section} />
          {(fields.price || fields.limits || fields.validity) && <LimitsSection {...section} />}
          {fields.codes && <CodesSection {...section} stored={campaign} />}
          <PicturesSection form={form} stored={campaign} />
        </Form>
      </div>
      <aside class="editor-preview" aria-label={t('campaigns.preview')}>
        <Preview values={form.values} languages={languages} context={context} stored={campaign} />
      </aside>
      {uploading && <SavingPictures step={uploading[0]} of={uploading[1]} />}
      {outcome && <AfterSaving outcome={outcome} name={nameOf(form.values, context)} />}
    </div>
  )
}

interface Saved {
  target: string // id of the campaign
  values: Values
  text: string
}

function namesOfPictures(c: CampaignFull | undefined): Map<string, string> {
  return new Map([
    ['icon', t('pictures.icon')],
    ...(c?.photos ?? []).map((p): [string, string] => [p.photoId, p.orginalName]),
  ])
}

function CompanionNotice({ companion }: { companion: Companion }): JSX.Element {
  return (
    <Notice tone="accent" title={t(`recipe.alsoCreates.${companion.kind}`)}>
      {companion.name()}
    </Notice>
  )
}
