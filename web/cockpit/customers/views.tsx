import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListviewSavedView as View, CreateCustomerViewForm } from '../../api/types'
import { useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Button, Notice } from '../../ui/basics'
import { Confirm, Dialog, Menu, toast, toastFailure } from '../../ui/dialog'
import { Checkbox, Form, TextField, useForm } from '../../ui/form'
import { place, setQuery } from '../../ui/router'

type Query = Pick<CreateCustomerViewForm['view'], 'filters' | 'sort' | 'direction'>

const mayShare = (): boolean => may('CUSTOMER', 'MODIFY')

// SavedViews chooses among views of the list, and saves the present one. The chosen view is in the address bar, beside
// its filters: an address with a view alone opens it.
export function SavedViews({ filters }: { filters: readonly string[] }): JSX.Element {
  const { data } = useQuery('/api/{store}/admin/customer-view')
  const [asked, setAsked] = useState<'new' | 'edit' | 'delete' | null>(null)
  const query = place.value.query
  const id = query.get('view') ?? ''
  const chosen = data?.views.find((v) => v.viewId === id)
  const plain = ![...filters, 'q', 'sort'].some((name) => query.get(name))
  const opened = useRef('')
  const open = (v: View | undefined): void => {
    opened.current = v?.viewId ?? ''
    const sort = v?.sort ? `${v.sort}.${v.direction === 'DESC' ? 'desc' : 'asc'}` : ''
    setQuery({
      ...Object.fromEntries(filters.map((name) => [name, ''])),
      q: '',
      page: '',
      ...v?.filters,
      sort,
      view: opened.current,
    })
  }
  useEffect(() => {
    if (!chosen || opened.current === id) return
    if (plain) open(chosen)
    else opened.current = id
  }, [chosen, id])
  const mayEdit = chosen && (chosen.shared ? mayShare() : chosen.own)
  const saveNow = async (v: View): Promise<void> => {
    await write('PUT', '/api/{store}/admin/customer-view/{view}', {
      params: { view: v.viewId },
      body: { view: { name: v.name, shared: v.shared, ...present(filters) } },
    })
    toast(t('views.saved', { name: v.name }))
  }
  return (
    <div class="row">
      {(data?.total ?? 0) > 0 && (
        <select
          class={chosen ? 'input filter on' : 'input filter'}
          aria-label={t('views.choose')}
          value={chosen?.viewId ?? ''}
          onChange={(event) => open(data!.views.find((v) => v.viewId === event.currentTarget.value))}
        >
          <option value="">{t('views.choose')}</option>
          {data!.views.map((v) => (
            <option key={v.viewId} value={v.viewId}>
              {v.shared ? t('views.sharedName', { name: v.name }) : v.name}
            </option>
          ))}
        </select>
      )}
      {mayEdit && (
        <Menu
          label={t('views.actions', { name: chosen.name })}
          items={[
            { text: t('views.update'), onClick: () => void saveNow(chosen).catch(toastFailure) },
            { text: t('views.edit'), onClick: () => setAsked('edit') },
            { text: t('views.delete'), danger: true, onClick: () => setAsked('delete') },
          ]}
        />
      )}
      <Button small kind="plain" icon="star" onClick={() => setAsked('new')}>
        <span class="tight">{t('views.save')}</span>
      </Button>
      {data && id && !chosen && <Notice>{t('views.unknown')}</Notice>}
      {(asked === 'new' || (asked === 'edit' && chosen)) && (
        <Edit
          view={asked === 'edit' ? chosen : undefined}
          filters={filters}
          onClose={() => setAsked(null)}
          onAdded={(added) => {
            opened.current = added
            setQuery({ view: added })
          }}
        />
      )}
      {asked === 'delete' && chosen && (
        <Confirm
          title={t('views.deleteTitle', { name: chosen.name })}
          action={t('views.delete')}
          onClose={() => setAsked(null)}
          onConfirm={async () => {
            await write('DELETE', '/api/{store}/admin/customer-view/{view}', { params: { view: chosen.viewId } })
            setQuery({ view: '' })
          }}
        >
          {chosen.shared ? t('views.deleteShared') : t('views.deleteOwn')}
        </Confirm>
      )}
    </div>
  )
}

// present returns what the list shows now, as a view saves it. Words that are searched for are not saved.
function present(filters: readonly string[]): Query {
  const query = place.value.query
  const [sort, way] = (query.get('sort') ?? '').split('.')
  const set = filters.flatMap((name) => {
    const value = query.get(name)
    return value ? [[name, value]] : []
  })
  return {
    filters: Object.fromEntries(set),
    ...(sort ? { sort, direction: way === 'desc' ? 'DESC' : 'ASC' } : {}),
  } as Query // names of the list
}

function Edit({
  view,
  filters,
  onClose,
  onAdded,
}: {
  view: View | undefined
  filters: readonly string[]
  onClose: () => void
  onAdded: (id: string) => void
}): JSX.Element {
  const form = useForm({ name: view?.name ?? '', shared: view?.shared ?? false }, async (values, key) => {
    if (view) {
      const { filters, sort, direction } = view as Query
      await write('PUT', '/api/{store}/admin/customer-view/{view}', {
        params: { view: view.viewId },
        body: { view: { ...values, filters, sort, direction } },
        key,
      })
    } else
      onAdded(
        (
          await write('POST', '/api/{store}/admin/customer-view', {
            body: { view: { ...values, ...present(filters) } },
            key,
          })
        ).viewId,
      )
    toast(t('views.saved', { name: values.name }))
    onClose()
  })
  return (
    <Dialog title={view ? t('views.edit') : t('views.save')} onClose={onClose}>
      {!view && <p class="muted">{t('views.saveHelp')}</p>}
      <Form form={form} cancel={onClose}>
        <TextField form={form} path="name" label={t('views.name')} autoFocus />
        {mayShare() && <Checkbox form={form} path="shared" label={t('views.shared')} help={t('views.sharedHelp')} />}
      </Form>
    </Dialog>
  )
}
