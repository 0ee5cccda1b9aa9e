import '../ui/base.css'
import './me.css'
import { startApp } from '../ui/start'
import { register } from '../ui/install'
import { SignIn } from '../ui/signin'
import { Frame } from './frame'
import { routes } from './routes'

register('/me')
void startApp({ app: 'me', base: '/me', routes, frame: Frame, signIn: SignIn })
