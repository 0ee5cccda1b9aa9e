import '../ui/base.css'
import './me.css'
import { startApp } from '../ui/start'
import { register } from '../ui/install'
import { startBrand } from './brand'
import { Frame } from './frame'
import { awaitInstall } from './install'
import { routes } from './routes'
import { Start } from './register'

register('/me')
awaitInstall()
void startApp({ app: 'me', base: '/me', routes, frame: Frame, signIn: Start }).then(startBrand)
