/** Bitbucket Data Center passes the suite of hosts. */
import { hostSetups } from './host-setups.ts'
import { testHost } from './host-suite.ts'

testHost(hostSetups['bitbucket-dc'])
