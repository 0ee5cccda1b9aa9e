// Saving writes a campaign, and then what belongs to it: codes, pictures, and what its recipe creates.
import { Failure, newKey, write, type FieldError } from '../../api/client'
import type { CampaignUploadReport } from '../../api/types'
import type { Companion } from './recipes'
import { bodyOf, fieldsOf, nameOf, type Context, type Values } from './types'

// Progress is what is saved already. The editor keeps it while it is open, so that saving again after a step that
// failed goes on with that step, and nothing is created twice.
export interface Progress {
  campaign?: string
  companions: Set<Companion>
  changes: Partial<Values> // of the companions that come before the campaign
  codes?: CampaignUploadReport | 'ordered'
  pictures: Set<File | string>
  keys: Map<File | string, string> // Idempotency-Key of each picture
}

export const nothing = (): Progress => ({ companions: new Set(), changes: {}, pictures: new Set(), keys: new Map() })

export interface Plan {
  id: string | undefined // of a stored campaign
  tag: string | undefined // of the state that is replaced
  active: boolean
  companions: Companion[]
  context: Context
}

// save writes the campaign with its codes and companions, and returns its id. Each step has a key of its own, derived
// from that of the intent, so that trying again after a lost connection repeats no step that reached the server.
export async function save(values: Values, key: string, plan: Plan, done: Progress): Promise<string> {
  const { companions, context } = plan
  for (const [i, companion] of companions.entries()) {
    if (!companion.before || done.companions.has(companion)) continue
    Object.assign(done.changes, await companion.before(`${key}-before-${i}`))
    done.companions.add(companion)
  }
  const complete = { ...values, ...done.changes }
  if (fieldsOf[values.reward].codes) requireCodes(complete)
  const body = { campaign: bodyOf(complete, plan.active, nameOf(values, context)) }
  const id = done.campaign ?? plan.id
  const saved = await withPaths(
    {
      ...(values.codesFrom === 'single' ? { coupons: 'singleCode' } : {}),
      'campaignActivity.activeFrom': 'activity.from',
      'campaignActivity.activeTo': 'activity.to',
      'campaignVisibility.visibleFrom': 'visibility.from',
      'campaignVisibility.visibleTo': 'visibility.to',
    },
    id
      ? write('PUT', '/api/{store}/campaign/{campaign}', { params: { campaign: id }, body, key, tag: plan.tag })
      : write('POST', '/api/{store}/campaign', { body, key }),
  )
  done.campaign = saved.campaignId
  if (fieldsOf[values.reward].codes) done.codes ??= await addCodes(saved.campaignId, complete, `${key}-codes`)
  for (const [i, companion] of companions.entries()) {
    if (!companion.after || done.companions.has(companion)) continue
    await companion.after(saved.campaignId, `${key}-after-${i}`)
    done.companions.add(companion)
  }
  return saved.campaignId
}

// requireCodes refuses a campaign whose codes are chosen but missing, before anything is written.
function requireCodes({ codesFrom, coupons, codesFile }: Values): void {
  const blank: FieldError[] = [{ code: 'blank', detail: '' }]
  const missing =
    codesFrom === 'paste' && !coupons.trim() ? 'coupons' : codesFrom === 'file' && !codesFile ? 'codesFile' : ''
  if (missing) throw new Failure('invalid', 400, '', { [missing]: blank }, '', 'invalid_fields')
}

// addCodes adds the codes that do not come with the campaign itself. Many are generated in the background; the page of
// the campaign shows the progress.
async function addCodes(campaign: string, values: Values, key: string): Promise<Progress['codes']> {
  const params = { campaign }
  const { codesFrom, codes, coupons, codesFile } = values
  if (codesFrom === 'generate') {
    await withPaths(
      { count: 'codes.count', prefix: 'codes.prefix', length: 'codes.length' },
      write('POST', '/api/{store}/campaign/{campaign}/codes/generate', { params, body: { codes }, key }),
    )
    return 'ordered'
  }
  if (codesFrom !== 'paste' && codesFrom !== 'file') return undefined
  const body = { codes: codesFrom === 'paste' ? { text: coupons } : { text: '', file: codesFile! } }
  return withPaths(
    { text: codesFrom === 'paste' ? 'coupons' : 'codesFile', file: 'codesFile' },
    write('POST', '/api/{store}/campaign/{campaign}/codes', { params, body, key }),
  )
}

// withPaths moves the errors of a call to the fields of the editor.
async function withPaths<T>(paths: Record<string, string>, running: Promise<T>): Promise<T> {
  try {
    return await running
  } catch (e) {
    if (!(e instanceof Failure)) throw e
    const fields = Object.fromEntries(Object.entries(e.fields).map(([path, errors]) => [paths[path] ?? path, errors]))
    throw new Failure(e.kind, e.status, e.message, fields, e.request, e.code)
  }
}

// FailedPicture is a picture that was not saved, and why.
export interface FailedPicture {
  name: string
  failure: Failure
}

// savePictures uploads and deletes pictures, those that are left if it is called again. One that fails does not keep
// the others from being saved.
export async function savePictures(
  campaign: string,
  { photos, icon, removedPhotos, removedIcon }: Values,
  names: Map<string, string>,
  done: Progress,
  onStep: (step: number, of: number) => void,
): Promise<FailedPicture[]> {
  const params = { campaign }
  interface Step {
    what: File | string
    name: string
    run: (key: string) => Promise<unknown>
  }
  const steps: Step[] = [
    ...removedPhotos.map((photoId): Step => ({
      what: photoId,
      name: names.get(photoId) ?? photoId,
      run: (key) =>
        write('DELETE', '/api/{store}/campaign/{campaign}/photo/{photoId}', { params: { campaign, photoId }, key }),
    })),
    ...photos.map((file): Step => ({
      what: file,
      name: file.name,
      run: (key) => write('POST', '/api/{store}/campaign/{campaign}/photo', { params, body: { photo: { file } }, key }),
    })),
  ]
  const icons = '/api/{store}/campaign/{campaign}/brand_icon'
  if (icon) {
    steps.push({
      what: icon,
      name: icon.name,
      run: (key) => write('POST', icons, { params, body: { brand_icon: { file: icon } }, key }),
    })
  } else if (removedIcon) {
    steps.push({ what: 'icon', name: names.get('icon') ?? '', run: (key) => write('DELETE', icons, { params, key }) })
  }
  const left = steps.filter((step) => !done.pictures.has(step.what))
  const failed: FailedPicture[] = []
  for (const [i, { what, name, run }] of left.entries()) {
    onStep(i + 1, left.length)
    const key = done.keys.get(what) ?? newKey()
    done.keys.set(what, key)
    try {
      await run(key)
      done.pictures.add(what)
    } catch (e) {
      const failure = e instanceof Failure ? e : new Failure('failed', 0, String(e))
      if (failure.kind === 'missing' && typeof what === 'string') continue // it is deleted already
      if (failure.kind === 'invalid') done.keys.delete(what) // the refusal is stored under the key
      failed.push({ name, failure })
    }
  }
  return failed
}
