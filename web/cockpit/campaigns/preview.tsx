// What customers will see of a campaign that is being edited: its card in the list, and the card of the bought coupon.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CampaignFull } from '../../api/types'
import { url } from '../../api/client'
import { points, t } from '../../i18n/i18n'
import { Icon } from '../../ui/icons'
import { Prose } from '../../ui/prose'
import type { StoreLanguage } from '../languages'
import { exampleCode, usualCodes } from './code_fields'
import { useFileURL } from './pictures'
import { fieldsOf, pasted, type Context, type Values } from './types'

export function Preview({
  values,
  languages,
  context,
  stored,
}: {
  values: Values
  languages: StoreLanguage[]
  context: Context
  stored: CampaignFull | undefined
}): JSX.Element {
  const [language, setLanguage] = useState(context.language)
  const own = values.translations[language] ?? {}
  const fallback = values.translations[context.language] ?? {}
  const text = (name: keyof typeof own): string => own[name] || fallback[name] || ''
  const fields = fieldsOf[values.reward]
  const kept = stored?.photos?.find((p) => !values.removedPhotos.includes(p.photoId))
  const chosen = useFileURL(values.photos[0])
  const picture = kept
    ? url('/api/{store}/campaign/{campaign}/photo/{photoId}', { campaign: stored!.campaignId, photoId: kept.photoId })
    : chosen
  const cost = Number(values.costInPoints) || 0
  const price =
    values.reward === 'cashback'
      ? t('preview.cashback')
      : !fields.price || cost === 0
        ? t('preview.free')
        : t('preview.points', { n: cost, amount: points(cost) })
  return (
    <div class="stack">
      <div class="preview-head">
        <h2>{t('campaigns.preview')}</h2>
        {languages.length > 1 && (
          <select
            class="input filter"
            aria-label={t('editor.languages')}
            value={language}
            onChange={(event) => setLanguage(event.currentTarget.value)}
          >
            {languages.map((l) => (
              <option key={l.code} value={l.code} selected={l.code === language}>
                {l.name}
              </option>
            ))}
          </select>
        )}
      </div>
      <article class="offer">
        <div class="offer-picture">{picture ? <img src={picture} alt="" /> : <Icon name="rewards" size={40} />}</div>
        <div class="offer-text">
          {text('brandName') && <small class="muted">{text('brandName')}</small>}
          <h3>{text('name') || t('preview.unnamed')}</h3>
          {text('shortDescription') && <Prose text={text('shortDescription')} />}
          <div class="offer-foot">
            <span class="offer-price">{price}</span>
            <span class="offer-button">{t('preview.get')}</span>
          </div>
        </div>
      </article>
      {fields.codes && (
        <article class="coupon-card">
          <Icon name="coupon" />
          <div>
            <h3>{text('name') || t('preview.unnamed')}</h3>
            <code>{codeOf(values)}</code>
            <small class="muted">
              {Number(values.daysValid) > 0
                ? t('preview.validDays', { n: Number(values.daysValid) })
                : t('preview.validAlways')}
            </small>
            {text('usageInstruction') && <Prose text={text('usageInstruction')} />}
            {text('conditionsDescription') && (
              <div class="muted">
                <Prose text={text('conditionsDescription')} />
              </div>
            )}
          </div>
        </article>
      )}
    </div>
  )
}

// codeOf returns a code such as customers will get.
function codeOf({ codesFrom, codes, coupons, singleCode }: Values): string {
  if (codesFrom === 'single') return singleCode || '…'
  if (codesFrom === 'paste') return pasted(coupons)[0] ?? '…'
  return exampleCode(codesFrom === 'generate' ? codes : usualCodes)
}
