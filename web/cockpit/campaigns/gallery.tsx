import type { JSX } from 'preact'
import { t } from '../../i18n/i18n'
import { Page } from '../../ui/basics'
import { Icon } from '../../ui/icons'
import { href } from '../../ui/router'
import { recipes } from './recipes'

// Gallery offers purposes, from which the type of the reward follows.
export default function Gallery(): JSX.Element {
  return (
    <Page
      title={t('campaigns.new')}
      lead={t('campaigns.newLead')}
      back={{ to: '/campaigns', text: t('nav.campaigns') }}
    >
      <ul class="gallery">
        {recipes.map((recipe) => (
          <li key={recipe.name}>
            <a class="recipe" href={href(`/campaigns/new/${recipe.name}`)}>
              <span class="recipe-icon">
                <Icon name={recipe.icon} size={24} />
              </span>
              <strong>{t(recipe.title)}</strong>
              <span>{t(recipe.help)}</span>
              {(recipe.companions ?? []).map((c) => (
                <small key={c.kind}>
                  <Icon name="plus" size={14} />
                  {t(`recipe.creates.${c.kind}`)}
                </small>
              ))}
            </a>
          </li>
        ))}
      </ul>
    </Page>
  )
}
