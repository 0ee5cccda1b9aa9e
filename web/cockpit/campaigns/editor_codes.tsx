import type { JSX } from 'preact'
import type { CampaignFull } from '../../api/types'
import { number, t } from '../../i18n/i18n'
import { Card } from '../../ui/basics'
import { Choice, TextArea, TextField } from '../../ui/form'
import { CodesFile, GenerateFields } from './code_fields'
import { pasted, type SectionProps } from './types'

// CodesSection says where the codes come from. A stored campaign keeps its codes unless the user adds others.
export function CodesSection({ form, stored }: SectionProps & { stored: CampaignFull | undefined }): JSX.Element {
  const { codesFrom, coupons } = form.values
  const isSingle = stored?.singleCoupon
  const found = pasted(coupons)
  const repeated = found.length - new Set(found).size
  return (
    <Card title={t('editor.codes')}>
      <Choice
        form={form}
        path="codesFrom"
        label={t('editor.codesFrom')}
        options={[
          ...(stored && !isSingle ? [{ value: 'keep', text: t('editor.keepCodes') }] : []),
          { value: 'generate', text: stored ? t('editor.generateMore') : t('editor.generate') },
          { value: 'paste', text: stored ? t('editor.pasteMore') : t('editor.paste') },
          { value: 'file', text: t('editor.file') },
          { value: 'single', text: t('editor.single') },
        ]}
      />
      {codesFrom === 'generate' && <GenerateFields form={form} at="codes" />}
      {codesFrom === 'paste' && (
        <TextArea
          form={form}
          path="coupons"
          label={t('editor.pasted')}
          rows={6}
          help={`${t('editor.pastedCount', { n: found.length })} ${repeated ? t('editor.repeated', { n: repeated }) : ''}`}
        />
      )}
      {codesFrom === 'file' && <CodesFile form={form} path="codesFile" />}
      {codesFrom === 'single' && (
        <TextField
          form={form}
          path="singleCode"
          label={t('editor.singleCode')}
          help={t('editor.singleHelp')}
          maxLength={255}
        />
      )}
      {!form.values.unlimited &&
        codesFrom === 'generate' &&
        Number(form.values.codes.count) < Number(form.values.limit) && (
          <p class="help">
            {t('editor.fewerCodes', {
              codes: number(Number(form.values.codes.count)),
              limit: number(Number(form.values.limit)),
            })}
          </p>
        )}
    </Card>
  )
}
