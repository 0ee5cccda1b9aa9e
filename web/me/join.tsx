// What a visitor sees who is not signed in: the program, and the ways into it.
import type { JSX } from 'preact'
import { useQuery } from '../api/client'
import { language, t } from '../i18n/i18n'
import { ButtonLink, ErrorState, Skeleton } from '../ui/basics'
import { brand } from '../ui/brand'
import { LanguageChoice } from '../ui/signin'
import { program } from './brand'
import { onShow, Program } from './program'

export default function Join(): JSX.Element {
  const one = { _locale: language.value }
  const earning = useQuery('/api/{store}/earningRule/public', one)
  const rewards = useQuery('/api/{store}/campaign/public/available', { ...one, perPage: 100 })
  const levels = useQuery('/api/{store}/level/public', { ...one, perPage: 100, sort: 'conditionValue' })
  const all = [earning, rewards, levels]
  const failed = all.find((q) => q.error && !q.data)
  document.title = brand.value || t('signIn.me')
  return (
    <main class="visitor" id="main" tabIndex={-1}>
      {failed ? (
        <ErrorState error={failed.error!} retry={() => all.forEach((q) => q.reload())} />
      ) : all.some((q) => !q.data) ? (
        <Skeleton lines={10} />
      ) : (
        <Program
          earning={earning.data}
          rewards={onShow(rewards.data!.campaigns, Date.now())}
          levels={levels.data!.levels}
          actions={
            <>
              <ButtonLink to="/register" kind="primary">
                {t('join.join')}
              </ButtonLink>
              <ButtonLink to="/sign-in">{t('signIn.submit')}</ButtonLink>
            </>
          }
        />
      )}
      <footer>
        <Links />
        <LanguageChoice />
      </footer>
    </main>
  )
}

// Links lead to what the store says about itself.
function Links(): JSX.Element | null {
  const p = program.value
  const links = [
    [p?.url, t('join.shop')],
    [p?.faqUrl, t('join.questions')],
    [p?.conditionsUrl, t('me.terms')],
  ].filter(([to]) => to && /^(https?:|\/)/.test(to))
  if (links.length === 0) return null
  return (
    <p class="others">
      {links.map(([to, text]) => (
        <a key={to} href={to} target="_blank" rel="noreferrer">
          {text}
        </a>
      ))}
    </p>
  )
}
