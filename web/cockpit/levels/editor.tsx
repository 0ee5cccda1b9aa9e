import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { LevelView, CreateLevelForm } from '../../api/types'
import { storedAt, useQuery, write } from '../../api/client'
import { t } from '../../i18n/i18n'
import { currencyDigits } from '../../i18n/number'
import { Button, Card, ErrorState, Page, Skeleton } from '../../ui/basics'
import { toast, toastFailure } from '../../ui/dialog'
import { Checkbox, DateTimeField, Form, NumberField, TextArea, TextField, useForm, type FormState } from '../../ui/form'
import { navigate, type RouteProps } from '../../ui/router'
import { Upload } from '../../ui/upload'
import { Photo, PictureDrop, useFileURL } from '../campaigns/pictures'
import { LanguageTabs } from '../language_tabs'
import { useLanguages, type StoreLanguage } from '../languages'
import { useCondition } from './condition'
import { pictureOf } from './picture'
import { blankLevel, blankSpecial, valuesOf, type Values } from './types'

// LevelEditor edits a level, or a new one.
export default function LevelEditor({ params }: RouteProps): JSX.Element {
  const id = params['level']
  const level = useQuery('/api/{store}/level/{level}', { level: id })
  const levels = useQuery(id ? null : '/api/{store}/level', { perPage: 1 })
  const languages = useLanguages()
  const title = t(id ? 'levels.edit' : 'levels.new')
  const back = id
    ? { to: `/levels/${id}`, text: level.data?.name ?? t('nav.levels') }
    : { to: '/levels', text: t('nav.levels') }
  const error = level.error ?? levels.error
  if (error && !level.data && !levels.data) {
    return (
      <Page title={title} back={back}>
        <ErrorState
          error={error}
          retry={() => {
            level.reload()
            levels.reload()
          }}
        />
      </Page>
    )
  }
  if (!(id ? level.data : levels.data) || languages.length === 0)
    return (
      <Page title={title} back={back}>
        <Skeleton lines={8} />
      </Page>
    )
  return (
    <Page title={title} back={back}>
      <Loaded id={id} level={level.data} isFirst={levels.data?.total === 0} languages={languages} />
    </Page>
  )
}

function Loaded({
  id,
  level,
  isFirst,
  languages,
}: {
  id: string | undefined
  level: LevelView | undefined
  isFirst: boolean
  languages: StoreLanguage[]
}): JSX.Element {
  const initial = useMemo(() => (level ? valuesOf(level) : blankLevel(isFirst)), [])
  const condition = useCondition()
  const [shown, setShown] = useState(languages[0]!.code)
  const [picture, setPicture] = useState<File | null>(null) // of a new level
  const form: FormState<Values> = useForm<Values>(
    initial,
    async (values, key, tag) => {
      const body = { level: bodyOf(values) }
      const saved = id
        ? await write('PUT', '/api/{store}/level/{level}', { params: { level: id }, body, key, tag })
        : await write('POST', '/api/{store}/level', { body, key })
      if (picture) await uploadPicture(saved.levelId, picture).catch(toastFailure)
      toast(t('campaigns.saved', { name: values.translations[languages[0]!.code]?.name ?? '' }))
      navigate(`/levels/${saved.levelId}`)
    },
    true,
    id ? storedAt('/api/{store}/level/{level}', { level: id }, valuesOf) : undefined,
  )
  const { translations } = form.values
  return (
    <div class="narrow-form">
      <Form form={form} sticky cancel={() => navigate(id ? `/levels/${id}` : '/levels')}>
        <Card title={t('editor.what')}>
          <LanguageTabs
            languages={languages}
            shown={shown}
            onChange={setShown}
            completeness={(code) =>
              translations[code]?.name ? (translations[code]?.description ? 'full' : 'half') : 'none'
            }
          />
          <TextField
            form={form}
            path={`translations.${shown}.name`}
            label={t('editor.name')}
            maxLength={255}
            autoFocus
            key={shown}
            placeholder={t('levels.nameExample')}
          />
          <TextArea
            form={form}
            path={`translations.${shown}.description`}
            label={t('levels.description')}
            rows={2}
            optional
            help={t('levels.descriptionHelp')}
          />
          <Checkbox form={form} path="active" label={t('levels.active')} help={t('levels.activeHelp')} />
        </Card>
        <Card title={t('levels.conditionTitle')}>
          <NumberField
            form={form}
            path="conditionValue"
            label={t(`levels.condition.${condition.kind}`)}
            suffix={condition.unit || undefined}
            digits={condition.kind === 'money' ? currencyDigits(condition.unit) : undefined}
            help={t(`levels.conditionHelp.${condition.kind}`)}
          />
        </Card>
        {level ? (
          <Picture level={level} />
        ) : (
          <Card title={t('levels.picture')}>
            <NewPicture file={picture} onChange={setPicture} />
          </Card>
        )}
        <Card title={t('levels.discount')}>
          <p class="muted">{t('levels.discountHelp')}</p>
          <RewardFields form={form} path="reward" optional />
        </Card>
        <Specials form={form} />
      </Form>
    </div>
  )
}

// Picture stores the picture of a level at once.
function Picture({ level }: { level: LevelView }): JSX.Element {
  const { data } = useQuery('/api/{store}/level/{level}', { level: level.levelId })
  return (
    <Upload
      label={t('levels.picture')}
      help={t('levels.pictureHelp')}
      mayEdit
      save={(file) => uploadPicture(level.levelId, file)}
      remove={() => write('DELETE', '/api/{store}/level/{level}/photo', { params: { level: level.levelId } })}
      stored={(data ?? level).hasPhoto}
      picture={pictureOf(level.levelId)}
      removeHelp={t('settings.removePictureHelp')}
    />
  )
}

// NewPicture keeps a picture until the level is saved.
function NewPicture({ file, onChange }: { file: File | null; onChange: (file: File | null) => void }): JSX.Element {
  const address = useFileURL(file)
  return (
    <>
      {file && address ? (
        <ul class="photos">
          <Photo source={address} name={file.name} onDelete={() => onChange(null)} />
        </ul>
      ) : (
        <PictureDrop label={t('levels.pictureDrop')} small onFiles={(files) => onChange(files[0] ?? null)} />
      )}
      <p class="muted">
        {t('levels.pictureHelp')} {t('levels.pictureLater')}
      </p>
    </>
  )
}

async function uploadPicture(level: string, file: File): Promise<void> {
  await write('POST', '/api/{store}/level/{level}/photo', { params: { level }, body: { photo: { file } } })
}

function RewardFields({
  form,
  path,
  optional,
}: {
  form: FormState<Values>
  path: 'reward' | `specialRewards.${number}`
  optional?: boolean
}): JSX.Element {
  return (
    <div class="columns">
      <TextField
        form={form}
        path={`${path}.name`}
        label={t('levels.discountName')}
        maxLength={255}
        optional={optional}
      />
      <NumberField form={form} path={`${path}.value`} label={t('levels.percent')} suffix="%" optional={optional} />
      <TextField
        form={form}
        path={`${path}.code`}
        label={t('levels.code')}
        maxLength={255}
        optional
        help={t('levels.codeHelp')}
      />
    </div>
  )
}

// Specials edits discounts that are limited in time.
function Specials({ form }: { form: FormState<Values> }): JSX.Element {
  const all = form.values.specialRewards
  const change = (next: Values['specialRewards']): void => form.set('specialRewards', next)
  return (
    <Card
      title={t('levels.specials')}
      actions={
        <Button small icon="plus" onClick={() => change([...all, blankSpecial])}>
          {t('levels.addSpecial')}
        </Button>
      }
    >
      {all.length === 0 && <p class="muted">{t('levels.specialsHelp')}</p>}
      {all.map((special, i) => (
        <fieldset class="part" key={special.id ?? `new-${i}`}>
          <legend class="hidden">{t('levels.special', { n: i + 1 })}</legend>
          <RewardFields form={form} path={`specialRewards.${i}`} />
          <div class="columns">
            <DateTimeField
              form={form}
              path={`specialRewards.${i}.startAt`}
              label={t('editor.from')}
              optional
              help={t('editor.zone')}
            />
            <DateTimeField form={form} path={`specialRewards.${i}.endAt`} label={t('editor.to')} optional />
          </div>
          <div class="row">
            <Checkbox form={form} path={`specialRewards.${i}.active`} label={t('levels.specialActive')} />
            <span class="spacer" />
            <Button small kind="plain" icon="trash" onClick={() => change(all.filter((_, at) => at !== i))}>
              {t('levels.removeSpecial')}
            </Button>
          </div>
        </fieldset>
      ))}
    </Card>
  )
}

// bodyOf leaves out what is empty.
function bodyOf(values: Values): CreateLevelForm['level'] {
  return {
    ...values,
    specialRewards: values.specialRewards.map(({ startAt, endAt, ...rest }) => ({
      ...rest,
      ...(startAt ? { startAt } : {}),
      ...(endAt ? { endAt } : {}),
    })),
  }
}
