import '../ui/base.css'
import '../ui/avatar.css'
import './till.css'
import { t } from '../i18n/i18n'
import { toast } from '../ui/dialog'
import { register } from '../ui/install'
import texts from 'texts:till'
import { startApp } from '../ui/start'
import { startZone } from '../ui/zone'
import { Frame } from './frame'
import { startQueue } from './queue'
import { describe } from './queue-list'
import { routes } from './routes'
import { TillSignIn } from './sign-in'

register('/till')
void startApp({ app: 'till', base: '/till', texts, routes, frame: Frame, signIn: TillSignIn })
  .then(startZone)
  .then(() => startQueue((entry) => toast(t('till.confirmed', { what: describe(entry) }))))
