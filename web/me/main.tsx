import '../ui/base.css'
import '../ui/upload.css'
import '../ui/avatar.css'
import './me.css'
import texts from 'texts:me'
import { startApp } from '../ui/start'
import { register } from '../ui/install'
import { startBrand } from './brand'
import { Frame } from './frame'
import { awaitInstall } from './install'
import { routes } from './routes'
import { Start } from './register'

register('/me')
awaitInstall()
void startApp({ app: 'me', base: '/me', texts, routes, frame: Frame, signIn: Start }).then(startBrand)
