// The blocks of an e-mail: adding, writing, ordering by mouse and keyboard, and removing them.
import type { JSX } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { url, useQuery } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Button } from '../../ui/basics'
import { SelectField, TextArea, TextField, type FormState, type Option } from '../../ui/form'
import { kinds, type Block, type Said } from './text'

const most = 40 // blocks

interface Choices {
  rewards: Option[]
  pictures: Option[]
}

// useChoices lists the rewards and the pictures that blocks can show.
function useChoices(): Choices {
  const rewards =
    useQuery('/api/{store}/campaign', { perPage: 1000, withoutCoupons: 1, active: 1 }).data?.campaigns ?? []
  const program = useQuery('/api/{store}/settings/program').data?.program
  const of = (path: string | undefined, value: string, text: string): Option[] => (path ? [{ value, text }] : [])
  return {
    rewards: rewards.map((c) => ({ value: c.campaignId, text: c.name ?? c.campaignId })),
    pictures: [
      ...of(program?.heroImage, 'hero-image', t('mailings.picture.hero')),
      ...of(program?.logo, 'logo', t('mailings.picture.logo')),
      ...of(program?.smallLogo, 'small-logo', t('mailings.picture.smallLogo')),
      ...rewards.flatMap((c) =>
        (c.photos ?? []).map((p, i) => ({
          value: `${c.campaignId}/${p.photoId}`,
          text: i === 0 ? (c.name ?? c.campaignId) : `${c.name ?? c.campaignId} (${i + 1})`,
        })),
      ),
    ],
  }
}

function addressOf(picture: string): string {
  const [campaign, photoId] = picture.split('/')
  return photoId
    ? url('/api/{store}/campaign/{campaign}/photo/{photoId}', { campaign: campaign!, photoId })
    : url('/api/{store}/settings/photo/{name}', { name: picture })
}

// Blocks edits the blocks of the text in a language.
export function Blocks({
  form,
  shown,
  blocks,
  help,
}: {
  form: FormState<Said>
  shown: string
  blocks: Block[]
  help: string
}): JSX.Element {
  const path = `texts.${shown}.blocks`
  const choices = useChoices()
  const list = useRef<HTMLOListElement>(null)
  const focus = useRef('') // what gets the focus after the list has changed
  const [dragged, setDragged] = useState(-1)
  const set = (next: Block[], focused: string): void => {
    focus.current = focused
    form.set(path, next)
  }
  const move = (from: number, to: number, focused: string): void => {
    const next = [...blocks]
    next.splice(to, 0, ...next.splice(from, 1))
    set(next, focused)
  }
  useLayoutEffect(() => {
    if (!focus.current) return
    const [at, what] = focus.current.split(' ')
    focus.current = ''
    const item = list.current?.children[Number(at)]
    const wanted = item?.querySelector<HTMLElement>(
      what === 'field' ? 'input,textarea,select' : `[data-move="${what}"] button:not(:disabled)`,
    )
    ;(wanted ?? item?.querySelector<HTMLElement>('button:not(:disabled)'))?.focus()
  })
  return (
    <div class="stack">
      <ol class="blocks" ref={list}>
        {blocks.map((b, i) => (
          <li
            key={i}
            class={dragged === i ? 'block dragged' : 'block'}
            data-path={`${path}.${i}`}
            onDragOver={(e) => {
              if (dragged >= 0) e.preventDefault()
            }}
            onDrop={(e) => {
              e.preventDefault()
              if (dragged >= 0 && dragged !== i) move(dragged, i, '')
              setDragged(-1)
            }}
          >
            <div
              class="block-bar"
              draggable
              onDragStart={(e) => {
                e.dataTransfer?.setData('text/plain', String(i))
                setDragged(i)
              }}
              onDragEnd={() => setDragged(-1)}
            >
              <strong class="label">{t(`mailings.block.${b.kind}`)}</strong>
              <span class="spacer" />
              <MoveButton
                direction="up"
                of={b}
                at={i}
                disabled={i === 0}
                onClick={() => move(i, i - 1, `${i - 1} up`)}
              />
              <MoveButton
                direction="down"
                of={b}
                at={i}
                disabled={i === blocks.length - 1}
                onClick={() => move(i, i + 1, `${i + 1} down`)}
              />
              <Button
                small
                kind="plain"
                icon="trash"
                label={t('mailings.block.remove', { kind: t(`mailings.block.${b.kind}`), n: i + 1 })}
                onClick={() =>
                  set(
                    blocks.filter((_, at) => at !== i),
                    `${Math.max(0, i - 1)} up`,
                  )
                }
              />
            </div>
            <Fields form={form} at={`${shown}.blocks.${i}`} of={b} choices={choices} help={help} />
          </li>
        ))}
      </ol>
      <div class="row" role="group" aria-label={t('mailings.block.add')}>
        {kinds.map((kind) => (
          <Button
            key={kind}
            small
            icon="plus"
            disabled={blocks.length >= most}
            onClick={() => set([...blocks, { kind }], `${blocks.length} field`)}
          >
            {t(`mailings.block.${kind}`)}
          </Button>
        ))}
      </div>
    </div>
  )
}

function MoveButton({
  direction,
  of,
  at,
  disabled,
  onClick,
}: {
  direction: 'up' | 'down'
  of: Block
  at: number
  disabled: boolean
  onClick: () => void
}): JSX.Element {
  return (
    <span data-move={direction}>
      <Button
        small
        kind="plain"
        icon={direction}
        disabled={disabled}
        onClick={onClick}
        label={t(`mailings.block.${direction}`, { kind: t(`mailings.block.${of.kind}`), n: at + 1 })}
      />
    </span>
  )
}

function Fields({
  form,
  at,
  of,
  choices,
  help,
}: {
  form: FormState<Said>
  at: string
  of: Block
  choices: Choices
  help: string
}): JSX.Element | null {
  const link = (
    <TextField
      form={form}
      path={`texts.${at}.link`}
      type="url"
      label={t('mailings.block.link')}
      placeholder="https://"
      optional={of.kind === 'picture'}
    />
  )
  switch (of.kind) {
    case 'heading':
      return <TextField form={form} path={`texts.${at}.text`} label={t('mailings.block.heading')} maxLength={255} />
    case 'text':
      return (
        <TextArea
          form={form}
          path={`texts.${at}.text`}
          label={t('mailings.block.text')}
          help={help}
          rows={5}
          maxLength={5000}
        />
      )
    case 'button':
      return (
        <div class="columns">
          <TextField form={form} path={`texts.${at}.text`} label={t('mailings.block.label')} maxLength={255} />
          {link}
        </div>
      )
    case 'picture':
      return (
        <>
          <SelectField
            form={form}
            path={`texts.${at}.picture`}
            label={t('mailings.block.picture')}
            empty={t('form.choose')}
            options={choices.pictures}
            help={choices.pictures.length === 0 ? t('mailings.block.noPictures') : undefined}
          />
          {of.picture && <img class="block-picture" src={addressOf(of.picture)} alt="" />}
          <div class="columns">
            <TextField
              form={form}
              path={`texts.${at}.text`}
              label={t('mailings.block.alt')}
              help={t('mailings.block.altHelp')}
              maxLength={255}
              optional
            />
            {link}
          </div>
        </>
      )
    case 'reward':
      return (
        <>
          <SelectField
            form={form}
            path={`texts.${at}.campaignId`}
            label={t('mailings.block.reward')}
            empty={t('form.choose')}
            options={choices.rewards}
          />
          <TextField
            form={form}
            path={`texts.${at}.text`}
            label={t('mailings.block.rewardText')}
            help={t('mailings.block.rewardHelp')}
            maxLength={255}
            optional
          />
        </>
      )
    case 'coupon':
      return (
        <div class="columns">
          <TextField
            form={form}
            path={`texts.${at}.code`}
            label={t('mailings.block.code')}
            help={t('mailings.block.codeHelp')}
            maxLength={255}
          />
          <TextField
            form={form}
            path={`texts.${at}.text`}
            label={t('mailings.block.caption')}
            maxLength={255}
            optional
          />
        </div>
      )
  }
  return null
}
