import type { JSX } from 'preact'
import { Fragment } from 'preact'
import { useQuery } from '../../api/client'
import { may } from '../../api/session'
import { t, tIf } from '../../i18n/i18n'
import { Button, Card } from '../../ui/basics'
import { Field, type FormState } from '../../ui/form'
import { ApiFieldControl } from '../fields'
import { blankCriterion, type CriterionType, type Values } from './types'

// useJoins returns the words between the criteria of a part, and between parts.
export function useJoins(): { criteria: string; parts: string } {
  const settings = useQuery(may('SETTINGS') ? '/api/{store}/settings' : null).data?.settings
  const [and, or] = [t('segments.and'), t('segments.or')]
  return settings?.segmentPartsAreAlternatives ? { criteria: and, parts: or } : { criteria: or, parts: and }
}

// criterionName is what a type of criterion asks, in the words of a shop.
export const criterionName = (type: string): string => tIf(`criterion.${type}`, type)

// PartsSection edits groups of criteria.
export function PartsSection({ form, types }: { form: FormState<Values>; types: CriterionType[] }): JSX.Element {
  const joins = useJoins()
  const { parts } = form.values
  const first = blankCriterion(types[0]!)
  const setCriteria = (i: number, criteria: Values['parts'][number]['criteria']): void => {
    form.set(
      'parts',
      criteria.length ? parts.map((p, at) => (at === i ? { criteria } : p)) : parts.filter((_, at) => at !== i),
    )
  }
  return (
    <Card title={t('segments.who')}>
      {parts.map((part, i) => (
        <Fragment key={i}>
          {i > 0 && <div class="join">{joins.parts}</div>}
          <fieldset class="part">
            <legend class="hidden">{t('segments.group', { n: i + 1 })}</legend>
            {part.criteria.map((criterion, j) => (
              <Fragment key={j}>
                {j > 0 && <div class="join small">{joins.criteria}</div>}
                <Criterion
                  form={form}
                  types={types}
                  path={`parts.${i}.criteria.${j}`}
                  type={criterion.type}
                  remove={
                    parts.length > 1 || part.criteria.length > 1
                      ? () =>
                          setCriteria(
                            i,
                            part.criteria.filter((_, at) => at !== j),
                          )
                      : undefined
                  }
                />
              </Fragment>
            ))}
            <div>
              <Button small icon="plus" onClick={() => setCriteria(i, [...part.criteria, first])}>
                {t('segments.addCriterion', { join: joins.criteria })}
              </Button>
            </div>
          </fieldset>
        </Fragment>
      ))}
      <div>
        <Button icon="plus" onClick={() => form.set('parts', [...parts, { criteria: [first] }])}>
          {t('segments.addPart', { join: joins.parts })}
        </Button>
      </div>
    </Card>
  )
}

function Criterion({
  form,
  types,
  path,
  type,
  remove,
}: {
  form: FormState<Values>
  types: CriterionType[]
  path: string
  type: string
  remove: (() => void) | undefined
}): JSX.Element {
  const described = types.find((one) => one.type === type)
  const choose = (next: string): void => form.set(path, blankCriterion(types.find((one) => one.type === next)!))
  return (
    <div class="criterion">
      <div class="criterion-head">
        <Field form={form} path={`${path}.type`} label={t('segments.criterion')}>
          {(control) => (
            <select {...control} class="input" value={type} onChange={(event) => choose(event.currentTarget.value)}>
              {types.map((one) => (
                <option key={one.type} value={one.type} selected={one.type === type}>
                  {criterionName(one.type)}
                </option>
              ))}
            </select>
          )}
        </Field>
        {remove && (
          <Button
            kind="plain"
            icon="trash"
            label={t('segments.removeCriterion', { name: criterionName(type) })}
            onClick={remove}
          />
        )}
      </div>
      <div class="columns">
        {(described?.fields ?? []).map((field) => (
          <ApiFieldControl key={`${type}.${field.name}`} form={form} field={field} path={`${path}.${field.name}`} />
        ))}
      </div>
    </div>
  )
}
