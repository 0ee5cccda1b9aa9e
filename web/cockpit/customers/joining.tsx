// How people find the program: the address of its page, a poster with a QR code, and the page inside another site.
import type { JSX } from 'preact'
import { useQuery } from '../../api/client'
import { store } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Button, Card, Copy, ErrorState, Notice, Page, Skeleton } from '../../ui/basics'
import { Link } from '../../ui/router'
import { QRImage } from '../../ui/qr'

export default function Joining(): JSX.Element {
  const program = useQuery('/api/{store}/settings/program')
  const code = encodeURIComponent(store.value)
  const address = `${location.origin}/me/${code}`
  const p = program.data?.program
  return (
    <Page title={t('nav.joining')} lead={t('joining.lead')}>
      {!p && (program.error ? <ErrorState error={program.error} retry={program.reload} /> : <Skeleton lines={8} />)}
      {p && (
        <div class="columns">
          <Card
            title={t('joining.poster')}
            class="qr-card poster"
            actions={
              <Button small onClick={() => print()}>
                {t('rules.print')}
              </Button>
            }
          >
            {p.logo && <img class="poster-logo" src={p.logo} alt="" />}
            <p class="poster-name">{p.name || p.storeName}</p>
            <p>{t('join.lead', { points: p.pointsPlural !== 'points' ? p.pointsPlural : t('join.points') })}</p>
            <QRImage code={address} label={t('joining.qr')} />
            <p>{t('joining.scan')}</p>
            <p class="muted">{address.replace(/^https?:\/\//, '')}</p>
          </Card>
          <div class="stack">
            <Card title={t('joining.address')}>
              <p>{t('joining.addressHelp')}</p>
              <p>
                <Copy text={address} />
              </p>
              <div class="row">
                <a class="button" href={address} target="_blank" rel="noopener">
                  {t('joining.open')}
                </a>
              </div>
            </Card>
            <Card title={t('joining.site')}>
              <p>{t('joining.siteHelp')}</p>
              <Copy
                text={`<iframe src="${location.origin}/embed/${code}" title="${escaped(p.name || p.storeName)}" width="100%" height="800" loading="lazy"></iframe>`}
              />
              <Sites />
            </Card>
          </div>
        </div>
      )}
    </Page>
  )
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

// Sites lists the sites that may show the page.
function Sites(): JSX.Element | null {
  const settings = useQuery('/api/{store}/settings').data?.settings
  if (!settings) return null
  const sites = settings.embedOrigins ?? []
  return (
    <Notice
      tone={sites.length > 0 ? 'neutral' : 'warning'}
      title={sites.length > 0 ? t('joining.sites') : t('joining.noSite')}
    >
      {sites.length > 0 && (
        <ul>
          {sites.map((site) => (
            <li key={site}>{site}</li>
          ))}
        </ul>
      )}
      <p>
        {t('joining.sitesIn')} <Link to="/settings">{t('nav.settings')}</Link>
      </p>
    </Notice>
  )
}
