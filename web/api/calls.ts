// The types of calls by their method and path.
import type { Calls } from './types'

export type Method = keyof Calls
export type Path<M extends Method = 'GET'> = keyof Calls[M] & string

type Part<M extends Method, P extends Path<M>, Name extends string> =
  Calls[M][P] extends Record<Name, infer T> ? T : never

// Answer is the body of the response, and Body that of the request.
export type Answer<P extends Path<M>, M extends Method = 'GET'> = Part<M, P, 'answer'>
export type Body<M extends Method, P extends Path<M>> = Part<M, P, 'body'>

// Params fill the path. Those that are left are the query, which leaves out what is empty.
export type Params<P extends Path<M>, M extends Method = 'GET'> = Emptiable<Part<M, P, 'params'>>
type Emptiable<T> = { [K in keyof T]: undefined extends T[K] ? T[K] | null | '' : T[K] }

export type AnyParams = Record<string, string | number | boolean | null | undefined | string[]>

// Exact makes each member of a body B that its type T lacks a never, at any depth, so that the compiler refuses the old
// name of a field. Without it, a body that was made before the call may have more members than its type.
export type Exact<T, B> = B extends Blob | string | number | boolean | null | undefined
  ? unknown
  : B extends readonly (infer E)[]
    ? readonly Exact<T extends readonly (infer F)[] ? F : never, E>[]
    : T extends unknown
      ? { [K in keyof B]: K extends keyof T ? Exact<T[K], B[K]> : never }
      : never

// Arguments are one argument, and Optional is one member, which may be left out if it may be empty.
export type Arguments<T> = {} extends T ? [T?] : [T]
export type Optional<Name extends string, T> = {} extends T
  ? { [K in Name]?: T }
  : undefined extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T }
