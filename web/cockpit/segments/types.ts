// The values of the builder of segments.
import type { CreateSegmentForm, SegmentView } from '../../api/types'
import { blankOf, sentOf, shownOf, type ApiField } from '../fields'

export interface CriterionType {
  type: string
  fields: ApiField[]
}

export type Criterion = NonNullable<NonNullable<CreateSegmentForm['segment']['parts']>[number]['criteria']>[number]

export type CriterionValues = Record<string, unknown> & { type: string }

export interface Values {
  name: string
  description: string
  active: boolean
  parts: { criteria: CriterionValues[] }[]
}

// Criteria of older clients may have other names.
const aliases: Record<string, string> = { customer_with_labels_values: 'customer_has_labels_with_values' }

// typeOf returns the name that a type of criterion has in the description of all types.
export const typeOf = (name: string): string => aliases[name] ?? name

export function blankCriterion(type: CriterionType): CriterionValues {
  return { ...blankOf(type.fields), type: type.type }
}

export function valuesOf(segment: SegmentView, types: CriterionType[]): Values {
  return {
    name: segment.name,
    description: segment.description ?? '',
    active: segment.active,
    parts: segment.parts.map((part) => ({
      criteria: part.criteria.map((c) => ({
        ...shownOf(fieldsOf(types, typeOf(c.type)), c as unknown as Record<string, unknown>),
        type: typeOf(c.type),
      })),
    })),
  }
}

export function bodyOf(values: Values, types: CriterionType[]): CreateSegmentForm['segment'] {
  return { ...values, parts: partsOf(values, types) }
}

// partsOf returns the criteria as the API takes them.
export function partsOf(values: Values, types: CriterionType[]): CreateSegmentForm['segment']['parts'] {
  return values.parts.map((part) => ({
    criteria: part.criteria.map((c) => ({ type: c.type as Criterion['type'], ...sentOf(fieldsOf(types, c.type), c) })),
  }))
}

function fieldsOf(types: CriterionType[], type: string): ApiField[] {
  return types.find((one) => one.type === type)?.fields ?? []
}
