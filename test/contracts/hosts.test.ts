/** Every host passes the suite of hosts. Some stories are told on one host, which the seed draws; on all in the whole matrix. */
import { drawn } from '../helpers/matrix.ts'
import { hostSetups } from './host-setups.ts'
import { testHost } from './host-suite.ts'

const setups = Object.values(hostSetups)
for (const setup of setups) testHost(setup, (story) => drawn(setups, story).includes(setup))
