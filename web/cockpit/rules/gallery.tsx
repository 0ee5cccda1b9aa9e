import type { JSX } from 'preact'
import { t } from '../../i18n/i18n'
import { Page } from '../../ui/basics'
import { Icon } from '../../ui/icons'
import { href } from '../../ui/router'
import { ruleIcons, ruleTypes } from './types'

// RuleGallery offers what points can be given for.
export default function RuleGallery(): JSX.Element {
  return (
    <Page title={t('rules.new')} lead={t('rules.newLead')} back={{ to: '/rules', text: t('nav.rules') }}>
      <ul class="gallery">
        <li>
          <a class="recipe" href={href('/rules/new/double')}>
            <span class="recipe-icon">
              <Icon name="calendar" size={24} />
            </span>
            <strong>{t('rules.double')}</strong>
            <span>{t('rules.doubleHelp')}</span>
          </a>
        </li>
        {ruleTypes.map((type) => (
          <li key={type}>
            <a class="recipe" href={href(`/rules/new/${type}`)}>
              <span class="recipe-icon">
                <Icon name={ruleIcons[type]} size={24} />
              </span>
              <strong>{t(`rule.${type}`)}</strong>
              <span>{t(`ruleHelp.${type}`)}</span>
            </a>
          </li>
        ))}
      </ul>
    </Page>
  )
}
