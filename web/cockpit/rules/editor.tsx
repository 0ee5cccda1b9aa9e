import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { LevelView } from '../../api/types'
import { storedAt, useQuery, write } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Empty, ErrorState, Page, Skeleton } from '../../ui/basics'
import { toast } from '../../ui/dialog'
import { Form, useForm, type FormState } from '../../ui/form'
import { navigate, type RouteProps } from '../../ui/router'
import type { ApiField } from '../fields'
import { LimitSection, WhatSection, WhenSection, WhoSection } from './editor_sections'
import { blankRule, bodyOf, doublePoints, valuesOf, type RuleType, type Values } from './types'

// RuleEditor edits an earning rule, or a new one of the type that the gallery chose.
export default function RuleEditor({ params }: RouteProps): JSX.Element {
  const id = params['rule']
  const rule = useQuery('/api/{store}/earningRule/{earningRule}', { earningRule: id })
  const types = useQuery('/api/{store}/earningRule/types')
  const levels = useQuery('/api/{store}/level', { perPage: 1000 })
  const title = t(id ? 'rules.edit' : 'rules.new')
  const back = id
    ? { to: `/rules/${id}`, text: rule.data?.name ?? t('nav.rules') }
    : { to: '/rules/new', text: t('rules.types') }
  const error = rule.error ?? types.error ?? levels.error
  const retry = (): void => [rule, types, levels].forEach((query) => query.reload())
  if (error)
    return (
      <Page title={title} back={back}>
        <ErrorState error={error} retry={retry} />
      </Page>
    )
  if (!types.data || !levels.data || (id && !rule.data))
    return (
      <Page title={title} back={back}>
        <Skeleton lines={8} />
      </Page>
    )
  const isDouble = params['type'] === 'double'
  const type = (rule.data?.type ?? (isDouble ? 'multiply_for_product' : params['type'])) as RuleType
  const fields = types.data.types.find((one) => one.type === type)?.fields as ApiField[] | undefined
  if (!fields)
    return (
      <Page title={title} back={back}>
        <Empty icon="search" title={t('app.noScreen')} />
      </Page>
    )
  return (
    <Page title={title} back={back} lead={t(isDouble ? 'rules.double' : `rule.${type}`)}>
      <Loaded
        id={id}
        initial={
          rule.data
            ? valuesOf(rule.data, fields)
            : isDouble
              ? doublePoints(fields, t('rules.double'))
              : blankRule(type, fields)
        }
        fields={fields}
        levels={levels.data.levels}
      />
    </Page>
  )
}

function Loaded({
  id,
  initial: first,
  fields,
  levels,
}: {
  id: string | undefined
  initial: Values
  fields: ApiField[]
  levels: LevelView[]
}): JSX.Element {
  const initial = useMemo(() => first, [])
  const form: FormState<Values> = useForm<Values>(
    initial,
    async (values, key, tag) => {
      const body = { earningRule: bodyOf(values, fields) }
      const saved = id
        ? await write('PUT', '/api/{store}/earningRule/{earningRule}', { params: { earningRule: id }, body, key, tag })
        : await write('POST', '/api/{store}/earningRule', { body, key })
      toast(t('campaigns.saved', { name: values.name }))
      navigate(`/rules/${id ?? saved.earningRuleId}`)
    },
    true,
    id
      ? storedAt('/api/{store}/earningRule/{earningRule}', { earningRule: id }, (now) => valuesOf(now, fields))
      : undefined,
  )
  const has = (name: string): boolean => fields.some((f) => f.name === name)
  return (
    <div class="narrow-form">
      <Form form={form} sticky cancel={() => navigate(id ? `/rules/${id}` : '/rules/new')}>
        <WhatSection form={form} fields={fields} />
        {has('limit') && <LimitSection form={form} fields={fields} />}
        <WhoSection form={form} levels={levels} />
        <WhenSection form={form} isPurchase={has('lastExecutedRule')} />
      </Form>
    </div>
  )
}
