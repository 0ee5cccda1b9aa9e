// The program of a store inside a page of another site. It has no session and reads no storage; joining and signing in
// open in a new tab. docs/behaviour/branding.md describes it.
import '../ui/base.css'
import '../me/me.css'
import texts from 'texts:me'
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { JSX } from 'preact'
import type {
  BrandingProgramAnswer,
  CampaignViewListCampaignPublic,
  EarningPublicList,
  LevelListOfLevelOffer,
} from '../api/types'
import { url } from '../api/client'
import * as session from '../api/session'
import { language, languageOf, startTexts, t } from '../i18n/i18n'
import { Notice, Skeleton } from '../ui/basics'
import { show } from '../me/brand'
import { onShow, Program } from '../me/program'

interface Parts {
  earning: EarningPublicList
  rewards: CampaignViewListCampaignPublic
  levels: LevelListOfLevelOffer
}

async function read<T>(address: string): Promise<T> {
  const response = await fetch(address, { credentials: 'omit' })
  if (!response.ok) throw new Error(String(response.status))
  return (await response.json()) as T
}

async function readAll(): Promise<Parts> {
  const one = { _locale: language.value }
  show((await read<BrandingProgramAnswer>(url('/api/{store}/settings/program'))).program)
  const [earning, rewards, levels] = await Promise.all([
    read<EarningPublicList>(url('/api/{store}/earningRule/public', one)),
    read<CampaignViewListCampaignPublic>(url('/api/{store}/campaign/public/available', { ...one, perPage: 100 })),
    read<LevelListOfLevelOffer>(url('/api/{store}/level/public', { ...one, perPage: 100, sort: 'conditionValue' })),
  ])
  return { earning, rewards, levels }
}

function Embedded(): JSX.Element {
  const [parts, setParts] = useState<Parts | null>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    readAll().then(setParts, () => setFailed(true))
  }, [])
  const app = `/me/${encodeURIComponent(session.store.value)}`
  return (
    <main class="visitor" id="main">
      {failed && <Notice tone="danger">{t('error.network')}</Notice>}
      {!parts && !failed && <Skeleton lines={10} />}
      {parts && (
        <Program
          earning={parts.earning}
          rewards={onShow(parts.rewards.campaigns, Date.now())}
          levels={parts.levels.levels}
          actions={
            <>
              <a class="button primary" href={`${app}/register`} target="_blank" rel="noopener">
                {t('join.join')}
              </a>
              <a class="button" href={`${app}/sign-in`} target="_blank" rel="noopener">
                {t('signIn.submit')}
              </a>
            </>
          }
        />
      )}
    </main>
  )
}

session.store.value = decodeURIComponent(location.pathname.split('/')[2] ?? '')
const asked = new URLSearchParams(location.search).get('lang')
void startTexts(texts, languageOf(asked ? [asked] : navigator.languages)).then(() =>
  render(<Embedded />, document.getElementById('app')!),
)
