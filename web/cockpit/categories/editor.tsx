import type { JSX } from 'preact'
import type { CategoryView } from '../../api/types'
import { storedAt, write } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Skeleton } from '../../ui/basics'
import { Dialog, toast } from '../../ui/dialog'
import { Checkbox, Form, NumberField, TextField, useForm } from '../../ui/form'
import { useLanguages, type StoreLanguage } from '../languages'

interface Values {
  translations: Record<string, { name: string }>
  active: boolean
  sortOrder: string
}

// CategoryDialog edits a category, or a new one.
export function CategoryDialog({
  category,
  onClose,
}: {
  category: CategoryView | undefined
  onClose: () => void
}): JSX.Element {
  const languages = useLanguages()
  return (
    <Dialog title={t(category ? 'categories.edit' : 'categories.new')} onClose={onClose}>
      {languages.length === 0 ? (
        <Skeleton lines={4} />
      ) : (
        <Fields category={category} languages={languages} onClose={onClose} />
      )}
    </Dialog>
  )
}

function valuesOf(c: CategoryView | undefined): Values {
  return {
    translations: Object.fromEntries((c?.translations ?? []).map((l) => [l.locale, { name: l.name }])),
    active: c?.active ?? true,
    sortOrder: String(c?.sortOrder ?? 0),
  }
}

function Fields({
  category: c,
  languages,
  onClose,
}: {
  category: CategoryView | undefined
  languages: StoreLanguage[]
  onClose: () => void
}): JSX.Element {
  const form = useForm<Values>(
    valuesOf(c),
    async (values, key, tag) => {
      const translations = Object.fromEntries(
        Object.entries(values.translations).filter(([, text]) => text.name.trim()),
      )
      const body = { campaign_category: { ...values, translations } }
      await (c
        ? write('PUT', '/api/{store}/campaignCategory/{campaignCategory}', {
            params: { campaignCategory: c.campaignCategoryId },
            body,
            key,
            tag,
          })
        : write('POST', '/api/{store}/campaignCategory', { body, key }))
      toast(t('campaigns.saved', { name: values.translations[languages[0]!.code]?.name ?? '' }))
      onClose()
    },
    true,
    c &&
      storedAt(
        '/api/{store}/campaignCategory/{campaignCategory}',
        { campaignCategory: c.campaignCategoryId },
        valuesOf,
      ),
  )
  return (
    <Form form={form} cancel={onClose} save={t(c ? 'action.save' : 'categories.create')}>
      {languages.map((l, i) => (
        <TextField
          key={l.code}
          form={form}
          path={`translations.${l.code}.name`}
          maxLength={255}
          autoFocus={i === 0}
          optional={i > 0}
          label={languages.length > 1 ? t('categories.nameIn', { language: l.name }) : t('campaigns.name')}
        />
      ))}
      <NumberField form={form} path="sortOrder" label={t('categories.order')} help={t('categories.orderHelp')} whole />
      <Checkbox form={form} path="active" label={t('categories.active')} help={t('categories.activeHelp')} />
    </Form>
  )
}
