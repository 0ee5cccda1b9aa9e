import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { SegmentView } from '../../api/types'
import { storedAt, usePreview, useQuery, write } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Card, ErrorState, Page, Skeleton } from '../../ui/basics'
import { toast } from '../../ui/dialog'
import { Checkbox, Form, TextField, useForm, type FormState } from '../../ui/form'
import { navigate, type RouteProps } from '../../ui/router'
import { ReachCount } from '../reach'
import { PartsSection } from './editor_parts'
import { blankCriterion, bodyOf, partsOf, valuesOf, type CriterionType, type Values } from './types'

// SegmentEditor builds a segment from criteria, and counts its customers while it is built.
export default function SegmentEditor({ params }: RouteProps): JSX.Element {
  const id = params['segment']
  const segment = useQuery('/api/{store}/segment/{segment}', { segment: id })
  const types = useQuery('/api/{store}/segment/criteria')
  const title = t(id ? 'segments.edit' : 'segments.new')
  const back = id
    ? { to: `/segments/${id}`, text: segment.data?.name ?? t('nav.segments') }
    : { to: '/segments', text: t('nav.segments') }
  const error = segment.error ?? types.error
  if (error && !(types.data && (!id || segment.data))) {
    return (
      <Page title={title} back={back}>
        <ErrorState
          error={error}
          retry={() => {
            segment.reload()
            types.reload()
          }}
        />
      </Page>
    )
  }
  if (!types.data || (id && !segment.data))
    return (
      <Page title={title} back={back}>
        <Skeleton lines={8} />
      </Page>
    )
  return (
    <Page title={title} back={back}>
      <Loaded id={id} segment={segment.data} types={types.data.criteria as CriterionType[]} />
    </Page>
  )
}

function Loaded({
  id,
  segment,
  types,
}: {
  id: string | undefined
  segment: SegmentView | undefined
  types: CriterionType[]
}): JSX.Element {
  const initial = useMemo<Values>(
    () =>
      segment
        ? valuesOf(segment, types)
        : {
            name: '',
            description: '',
            active: true,
            parts: [{ criteria: [blankCriterion(types.find((one) => one.type === 'transaction_count') ?? types[0]!)] }],
          },
    [],
  )
  const form: FormState<Values> = useForm<Values>(
    initial,
    async (values, key, tag) => {
      const body = { segment: bodyOf(values, types) }
      const saved = id
        ? await write('PUT', '/api/{store}/segment/{segment}', { params: { segment: id }, body, key, tag })
        : await write('POST', '/api/{store}/segment', { body, key })
      toast(t('campaigns.saved', { name: values.name }))
      navigate(`/segments/${id ?? saved.segmentId}`)
    },
    true,
    id ? storedAt('/api/{store}/segment/{segment}', { segment: id }, (s) => valuesOf(s, types)) : undefined,
  )
  return (
    <div class="narrow-form">
      <Form form={form} sticky cancel={() => navigate(id ? `/segments/${id}` : '/segments')}>
        <Card>
          <TextField
            form={form}
            path="name"
            label={t('editor.name')}
            maxLength={255}
            autoFocus
            placeholder={t('segments.nameExample')}
          />
          <TextField form={form} path="description" label={t('levels.description')} optional />
          <Checkbox form={form} path="active" label={t('segments.active')} help={t('segments.activeHelp')} />
        </Card>
        <PartsSection form={form} types={types} />
        <ReachCount
          reached={usePreview('/api/{store}/segment/preview', { segment: { parts: partsOf(form.values, types) } })}
        />
      </Form>
    </div>
  )
}
