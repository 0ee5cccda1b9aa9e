// The member card as it is shown at the counter. It works without a network.
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { newKey, write } from '../api/client'
import * as session from '../api/session'
import { t } from '../i18n/i18n'
import { Button, Empty, ErrorState, Skeleton } from '../ui/basics'
import { toastFailure } from '../ui/dialog'
import { navigate } from '../ui/router'
import { amount, program } from './brand'
import { Codes } from './codes'
import { useBalance, useCustomer } from './data'
import { AsOf, lastTab } from './parts'

export default function MemberCard(): JSX.Element {
  const { data: c, error, reload, at } = useCustomer()
  const balance = useBalance().data
  useEffect(() => {
    document.title = t('me.card')
  }, [])
  return (
    <div class="counter-page">
      <Button
        kind="plain"
        icon="close"
        label={t('action.close')}
        class="close"
        onClick={() => navigate(lastTab.value)}
      />
      <h1>{program.value?.name ?? t('me.card')}</h1>
      {c && (
        <p class="name">
          {c.firstName} {c.lastName}
        </p>
      )}
      {!c && (error ? <ErrorState error={error} retry={reload} /> : <Skeleton lines={6} />)}
      {c && (c.loyaltyCardNumber ? <Codes text={c.loyaltyCardNumber} label={t('me.card')} /> : <NoCard />)}
      {c && balance && <p class="when">{[balance.levelName, amount(balance.points)].filter(Boolean).join(' · ')}</p>}
      <AsOf at={at} />
    </div>
  )
}

// NoCard lets a customer without a number ask for one.
function NoCard(): JSX.Element {
  const [busy, setBusy] = useState(false)
  const key = useRef(newKey())
  const issue = async (): Promise<void> => {
    setBusy(true)
    const id = session.claims.value?.id ?? ''
    await write('POST', '/api/{store}/customer/customer/{customer}/card', {
      params: { customer: id },
      key: key.current,
    }).catch(toastFailure)
    setBusy(false)
  }
  return (
    <Empty
      icon="card"
      title={t('me.noCard')}
      action={
        <Button kind="primary" busy={busy} onClick={busy ? undefined : issue}>
          {t('me.issueCard')}
        </Button>
      }
    >
      {t('me.noCardHelp')}
    </Empty>
  )
}
