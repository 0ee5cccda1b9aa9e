// Small parts that several screens of the customer's app use.
import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { dateTimeAt, t } from '../i18n/i18n'
import { Notice } from '../ui/basics'
import { Icon, type IconName } from '../ui/icons'

// lastTab is the path of the tab that was open before the card.
export const lastTab = signal('/')

// Picture shows a picture of a reward or a level, or a drawing in its place.
export function Picture({
  address,
  large,
  icon = 'rewards',
}: {
  address: string | undefined
  large?: boolean
  icon?: IconName
}): JSX.Element {
  const [broken, setBroken] = useState(false)
  return (
    <div class={large ? 'picture large' : 'picture'}>
      {address && !broken ? (
        <img src={address} alt="" loading={large ? 'eager' : 'lazy'} onError={() => setBroken(true)} />
      ) : (
        <Icon name={icon} size={large ? 56 : 32} />
      )}
    </div>
  )
}

// AsOf says that what is shown may be out of date.
export function AsOf({ at }: { at: number | undefined }): JSX.Element | null {
  return at === undefined ? null : <Notice tone="warning">{t('me.asOf', { time: dateTimeAt(at) })}</Notice>
}
