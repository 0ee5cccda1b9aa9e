import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { EarningRuleView } from '../../api/types'
import { url, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { dateTime, number, t, tIf } from '../../i18n/i18n'
import { rate } from '../../i18n/number'
import { Badge, Button, ButtonLink, Card, Copy, ErrorState, Facts, Page, Skeleton } from '../../ui/basics'
import { Confirm } from '../../ui/dialog'
import { Switch } from '../../ui/form'
import { Link, type RouteProps } from '../../ui/router'
import { History } from '../audit/history'
import { PictureUpload } from '../campaigns/pictures'
import { customerName } from '../customers/name'
import { paysText, RuleState, setRuleActive } from './list'
import { QRCode } from './qr'
import type { RuleType } from './types'

// RulePage shows an earning rule, its code to print, and who used it last.
export default function RulePage({ params }: RouteProps): JSX.Element {
  const {
    data: rule,
    error,
    reload,
  } = useQuery('/api/{store}/earningRule/{earningRule}', { earningRule: params['rule'] })
  const back = { to: '/rules', text: t('nav.rules') }
  if (error && !rule)
    return (
      <Page title={t('rules.one')} back={back}>
        <ErrorState error={error} retry={reload} />
      </Page>
    )
  if (!rule)
    return (
      <Page title={t('rules.one')} back={back}>
        <Skeleton lines={6} />
      </Page>
    )
  const canModify = may('EARNING_RULE', 'MODIFY')
  return (
    <Page
      title={rule.name}
      back={back}
      badge={<RuleState rule={rule} />}
      lead={t(`rule.${rule.type as RuleType}`)}
      actions={
        <>
          <History of={rule.earningRuleId} />
          {canModify && (
            <Switch
              label={t(rule.active ? 'campaigns.on' : 'campaigns.off')}
              checked={rule.active}
              onChange={(on) => setRuleActive(rule, on)}
            />
          )}
          {canModify && (
            <ButtonLink icon="edit" to={`/rules/${rule.earningRuleId}/edit`}>
              {t('campaigns.editShort')}
            </ButtonLink>
          )}
        </>
      }
    >
      <div class="columns wide-columns">
        <div class="stack">
          <Details rule={rule} />
          {rule.code && <QRCode code={rule.code} name={rule.name} />}
        </div>
        <div class="stack">
          <Photo rule={rule} canModify={canModify} />
          {rule.limit && <Uses rule={rule} />}
          {rule.type === 'referral' && may('CUSTOMER') && (
            <ButtonLink icon="customers" to="/invitations">
              {t('rules.seeInvitations')}
            </ButtonLink>
          )}
        </div>
      </div>
    </Page>
  )
}

function Details({ rule: r }: { rule: EarningRuleView }): JSX.Element {
  const names = (of: EarningRuleView['levelNames']): string[] => (Array.isArray(of) ? [] : Object.values(of))
  const labels = (of: { key: string; value: string }[] | undefined): string =>
    (of ?? []).map((l) => `${l.key}: ${l.value}`).join(', ')
  return (
    <Card title={t('customers.details')}>
      <Facts
        items={[
          [t('rules.pays'), paysText(r)],
          [t('levels.description'), r.description],
          [t('field.eventName'), r.eventName && tIf(`choice.${r.eventName}`, r.eventName)],
          [t('field.skuIds'), r.allProducts ? t('field.allProducts') : r.skuIds?.join(', ')],
          [t('field.rewardType'), r.rewardType && tIf(`choice.${r.rewardType}`, r.rewardType)],
          [t('field.labels'), labels(r.labels)],
          [t('field.excludedSKUs'), r.excludedSKUs?.join(', ')],
          [t('field.includedLabels'), labels(r.includedLabels)],
          [t('field.excludedLabels'), labels(r.excludedLabels)],
          [
            t('field.labelMultipliers'),
            r.labelMultipliers?.map((l) => `${l.key}: ${l.value} × ${rate(l.multiplier)}`).join(', '),
          ],
          [
            t('field.minOrderValue'),
            r.minOrderValue === undefined ? '' : number(r.minOrderValue, { maximumFractionDigits: 4 }),
          ],
          [
            t('rules.place'),
            r.latitude === undefined
              ? ''
              : t('rules.placeText', { place: `${r.latitude}, ${r.longitude}`, km: number(r.radius ?? 0) }),
          ],
          [
            t('editor.howOften'),
            !r.limit?.active
              ? ''
              : t('rules.limitText', { n: r.limit.limit ?? 0, period: tIf(`period.${r.limit.period}`, '') }),
          ],
          [
            t('editor.who'),
            [
              ...(r.everybody ? [t('editor.everybody')] : names(r.levelNames)),
              ...names(r.segmentNames),
              ...names(r.posNames),
            ].map((name) => <Badge key={name}>{name}</Badge>),
          ],
          [
            t('editor.when'),
            r.allTimeActive
              ? t('campaigns.always')
              : t('campaigns.window', { from: dateTime(r.startAt), to: dateTime(r.endAt) }),
          ],
          [t('rules.usageUrl'), r.usageUrl && <Copy text={r.usageUrl} />],
          [t('campaigns.id'), <Copy text={r.earningRuleId} />],
        ]}
      />
    </Card>
  )
}

function Photo({ rule: r, canModify }: { rule: EarningRuleView; canModify: boolean }): JSX.Element | null {
  const [version, setVersion] = useState(0)
  const [deleting, setDeleting] = useState(false)
  const path = '/api/{store}/earningRule/{earningRule}/photo'
  const params = { earningRule: r.earningRuleId }
  if (!canModify && !r.hasPhoto) return null
  return (
    <Card title={t('rules.photo')}>
      {r.hasPhoto && (
        <ul class="photos">
          <li>
            <img src={`${url(path, params)}?v=${version}`} alt={r.name} />
            {canModify && (
              <Button
                small
                icon="trash"
                label={t('pictures.delete', { name: r.name })}
                onClick={() => setDeleting(true)}
              />
            )}
          </li>
        </ul>
      )}
      {canModify && (
        <PictureUpload
          label={t(r.hasPhoto ? 'rules.changePhoto' : 'rules.addPhoto')}
          small
          save={(file) => write('POST', path, { params, body: { photo: { file } } })}
          onDone={() => setVersion(version + 1)}
        />
      )}
      {deleting && (
        <Confirm
          title={t('pictures.deleteTitle')}
          action={t('pictures.deleteNow')}
          onClose={() => setDeleting(false)}
          onConfirm={() => write('DELETE', path, { params })}
        >
          {t('pictures.deleteHelp')}
        </Confirm>
      )}
    </Card>
  )
}

const shownUses = 20

function Uses({ rule: r }: { rule: EarningRuleView }): JSX.Element {
  return (
    <Card title={t('rules.uses')}>
      {r.usages.length === 0 ? (
        <p class="muted">{t('rules.noUses')}</p>
      ) : (
        <Facts
          items={r.usages
            .slice(0, shownUses)
            .map((use, i) => [`${i + 1}. ${dateTime(use.date)}`, <Customer id={use.customerId} />])}
        />
      )}
    </Card>
  )
}

// Customer shows the name of a customer, and leads to them.
function Customer({ id }: { id: string }): JSX.Element {
  const customer = useQuery(may('CUSTOMER') ? '/api/{store}/customer/{customer}' : null, { customer: id }).data
  return customer ? <Link to={`/customers/${id}`}>{customerName(customer)}</Link> : <>…</>
}
