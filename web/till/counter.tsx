// The one screen of the till: a field to scan into, and what was found.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failure, useQuery } from '../api/client'
import { clockAt, t, until } from '../i18n/i18n'
import { Badge, Button, ErrorState, Skeleton } from '../ui/basics'
import { Icon } from '../ui/icons'
import { place, setQuery } from '../ui/router'
import { CustomerPanel } from './customer'
import { find, findCoupons, type Found } from './find'
import { FoundCoupons, Nothing, Several } from './found'
import { readRecent, recent } from './known'
import { clearOutcome, OutcomePanel, showRefused } from './outcome'
import { entries } from './queue'
import { LateList, QueueList } from './queue-list'
import { RegisterDialog } from './register'
import { readUnfinished } from './sale'
import { ScanField } from './scan'
import { loadSeller, seller, sellerError } from './seller'

export default function Counter(): JSX.Element {
  const customer = place.value.query.get('customer') ?? ''
  const [found, setFound] = useState<Found | null>(null)
  const [busy, setBusy] = useState(false)
  const [registering, setRegistering] = useState<string | null>(null)
  useEffect(() => {
    document.title = `${t('signIn.till')} · Punchcard`
    readRecent()
    readUnfinished()
    void loadSeller()
  }, [])
  const open = (id: string): void => {
    clearOutcome()
    setFound(null)
    setQuery({ customer: id })
  }
  const show = (result: Found): void => {
    if (result.kind === 'customer') return open(result.id)
    setQuery({ customer: '' })
    setFound(result)
  }
  const look = async (text: string, search: (text: string) => Promise<Found>): Promise<void> => {
    clearOutcome()
    setBusy(true)
    try {
      show(await search(text))
    } catch (e) {
      if (e instanceof Failure) showRefused(text, e)
      else throw e
    } finally {
      setBusy(false)
    }
  }
  const findCoupon = async (text: string): Promise<Found> => {
    const coupons = await findCoupons(text)
    return coupons.length > 0 ? { kind: 'coupons', text, coupons } : { kind: 'nothing', text, offline: false }
  }
  if (!seller.value) {
    return sellerError.value ? (
      <ErrorState error={sellerError.value} retry={() => void loadSeller()} />
    ) : (
      <Skeleton lines={4} />
    )
  }
  const refused = entries.value.some((e) => e.refused) // which the seller must see at once
  return (
    <div class="counter">
      <ScanField
        busy={busy}
        onScan={(text) => void look(text, find)}
        onClear={() => {
          clearOutcome()
          setFound(null)
          setQuery({ customer: '' })
        }}
      />
      <OutcomePanel />
      {refused && <QueueList />}
      {found?.kind === 'coupons' && <FoundCoupons coupons={found.coupons} onCustomer={open} />}
      {found?.kind === 'several' && (
        <Several found={found} onCustomer={open} onCoupon={() => void look(found.text, findCoupon)} />
      )}
      {found?.kind === 'nothing' && (
        <Nothing
          text={found.text}
          offline={found.offline}
          onRegister={() => setRegistering(found.text)}
          onDone={() => setFound(null)}
        />
      )}
      {!found && customer && <CustomerPanel key={customer} id={customer} />}
      {!found && !customer && <Start onCustomer={open} onRegister={() => setRegistering('')} />}
      {!refused && <QueueList />}
      <LateList />
      {registering !== null && (
        <RegisterDialog
          typed={registering}
          onClose={() => setRegistering(null)}
          onDone={(id) => {
            setRegistering(null)
            setFound(null)
            setQuery({ customer: id })
          }}
        />
      )}
    </div>
  )
}

const shownRecent = 8

function Start({ onCustomer, onRegister }: { onCustomer: (id: string) => void; onRegister: () => void }): JSX.Element {
  const rules = useQuery('/api/{store}/earningRule/public')
  const offers = (rules.data?.earningRules ?? []).filter((r) => r.endAt)
  return (
    <section class="start">
      <div class="welcome">
        <Icon name="scan" size={48} />
        <h1>{t('till.start')}</h1>
        <p class="muted">{t('till.startHelp')}</p>
        <Button icon="plus" onClick={onRegister}>
          {t('till.register')}
        </Button>
        {offers.map((r) => (
          <p key={r.earningRuleId}>
            <Badge tone="accent">{r.name}</Badge> {t('join.until', { at: until(r.endAt ?? '') })}
          </p>
        ))}
      </div>
      {recent.value.length > 0 && (
        <section aria-labelledby="recent">
          <h2 id="recent">{t('till.recent')}</h2>
          <ul class="people">
            {recent.value.slice(0, shownRecent).map((c) => (
              <li key={c.id}>
                <button type="button" class="button" onClick={() => onCustomer(c.id)}>
                  <strong>{c.name}</strong>
                  <span class="muted">{[c.level, clockAt(c.at)].filter(Boolean).join(' · ')}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </section>
  )
}
