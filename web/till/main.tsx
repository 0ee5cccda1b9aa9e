import '../ui/base.css'
import './till.css'
import { startApp } from '../ui/start'
import { register } from '../ui/install'
import { SignIn } from '../ui/signin'
import { Frame } from './frame'
import { routes } from './routes'

register('/till')
void startApp({ app: 'till', base: '/till', routes, frame: Frame, signIn: SignIn })
