/**
 * Changes of public libraries that broke public users of them, from their histories. The user is taken as its default branch was
 * when the library changed. `places`: files of the user, read by hand, each with the lines of which one has to be named;
 * `fits`: what looks like a use and is none, such as an import behind a check of the version.
 */
export type Pair = {
  provider: string
  commit: string
  what: string
  user: string
  places: Readonly<Record<string, readonly number[]>>
  fits?: Readonly<Record<string, string>>
}

const oneName = { commit: 'e4f8633', provider: 'isaacs/minimatch', what: 'no default export' }
const sessions = { commit: '1085a3e9', provider: 'rack/rack', what: 'no Rack::Session' }
const handlers = { commit: '882cbb32', provider: 'rack/rack', what: 'no Rack::Handler and Rack::Server' }
const validateOptions = { commit: 'f6776aa', provider: 'webpack/schema-utils', what: 'no default export' }
const getOptions = { commit: '3bfb169', provider: 'webpack/loader-utils', what: 'no getOptions' }
const intoBuf = { commit: 'b6cb346', provider: 'tokio-rs/bytes', what: 'no IntoBuf' }
const immerDefault = { provider: 'immerjs/immer', commit: '59971e1', what: 'no default export' }
const logPackage = { commit: 'a184d5b', provider: 'prometheus/common', what: 'no package log' }

/** On these the reading of packages was corrected. */
const first: readonly Pair[] = [
  { ...validateOptions, user: 'webpack-contrib/css-loader', places: { 'src/index.js': [8] } },
  { ...validateOptions, user: 'webpack-contrib/file-loader', places: { 'src/index.js': [4] } },
  { ...validateOptions, user: 'webpack-contrib/url-loader', places: { 'src/index.js': [4] } },
  { ...validateOptions, user: 'webpack-contrib/style-loader', places: { 'src/index.js': [4] } },
  { ...validateOptions, user: 'webpack-contrib/less-loader', places: { 'src/index.js': [6] } },
  { ...validateOptions, user: 'babel/babel-loader', places: { 'src/index.js': [30, 59] } },
  { ...getOptions, user: 'babel/babel-loader', places: { 'src/index.js': [29, 58] } },
  { ...getOptions, user: 'webpack-contrib/file-loader', places: { 'src/index.js': [3, 10] } },
  {
    ...getOptions,
    user: 'webpack-contrib/url-loader',
    places: { 'src/index.js': [3, 79], 'test/fixtures/x-custom-loader/index.js': [1, 4] },
  },
  {
    ...{ provider: 'webpack/loader-utils', commit: 'e31e8b5', what: 'no parseString and parseQuery' },
    user: 'webpack-contrib/url-loader',
    places: { 'src/utils/normalizeFallback.js': [1, 14] },
  },
  {
    ...immerDefault,
    user: 'immerjs/use-immer',
    places: { 'src/index.ts': [1] },
  },
  {
    ...immerDefault,
    user: 'reduxjs/redux-toolkit',
    places: {
      ...{
        'packages/toolkit/src/createReducer.ts': [2],
        'packages/toolkit/src/entities/state_adapter.ts': [1],
      },
      ...{ 'packages/toolkit/src/index.ts': [4], 'packages/toolkit/src/utils.ts': [1] },
    },
  },
  {
    ...{ provider: 'immerjs/immer', commit: 'eb5ac78', what: 'no enableES5' },
    user: 'reduxjs/redux-toolkit',
    places: { 'packages/toolkit/src/index.ts': [1, 25] },
  },
  {
    ...{ provider: 'pallets/click', commit: '0ccada0e', what: 'no _unicodefun' },
    user: 'psf/black',
    places: { 'src/black/__init__.py': [1414], 'tests/test_black.py': [1259] },
  },
  {
    ...{ provider: 'pallets/werkzeug', commit: '0266f51c', what: 'no url_decode and url_encode' },
    user: 'maxcountryman/flask-login',
    places: { 'src/flask_login/utils.py': [14, 15] },
  },
  {
    ...{ provider: 'pallets/itsdangerous', commit: '506ca21', what: 'no TimedJSONWebSignatureSerializer' },
    user: 'miguelgrinberg/Flask-HTTPAuth',
    places: { 'examples/multi_auth.py': [13], 'examples/token_auth.py': [17] },
  },
  {
    ...{ provider: 'pallets/jinja', commit: '824b4d3e', what: 'no Markup and escape' },
    user: 'jupyter/nbconvert',
    places: { 'nbconvert/exporters/html.py': [151, 156, 180], 'nbconvert/filters/ansi.py': [60] },
  },
  {
    ...{ provider: 'pallets/jinja', commit: 'c6caa4c5', what: 'no contextfilter' },
    user: 'jupyter/nbconvert',
    places: {},
    fits: { 'nbconvert/exporters/html.py': 'the older name is imported for older versions only' },
  },
  {
    ...{ provider: 'pallets/jinja', commit: 'c6caa4c5', what: 'no contextfunction and environmentfilter' },
    user: 'sphinx-doc/sphinx',
    places: {},
    fits: {
      'sphinx/jinja2glue.py': 'imported only where the new name is not there',
      'sphinx/util/rst.py': 'imported only where the new name is not there',
    },
  },
  {
    ...logPackage,
    user: 'prometheus-community/ipmi_exporter',
    places: {
      ...{
        'collector.go': [8],
        'collector_bmc.go': [5],
        'collector_chassis.go': [5],
        'collector_dcmi.go': [5],
      },
      ...{ 'collector_ipmi.go': [8], 'collector_sel.go': [5], 'collector_sm_lan_mode.go': [8] },
      ...{ 'config.go': [10], 'main.go': [12] },
    },
  },
  { ...logPackage, user: 'danielqsj/kafka_exporter', places: { 'kafka_exporter.go': [22] } },
  {
    ...{ provider: 'prometheus/common', commit: 'c3fdb17', what: 'no package promlog' },
    user: 'danielqsj/kafka_exporter',
    places: { 'kafka_exporter.go': [24, 25] },
  },
  {
    ...intoBuf,
    user: 'hyperium/tonic',
    places: {
      'tonic/src/body.rs': [2, 7],
      'tonic/src/codec/decode.rs': [2],
      'tonic/src/codec/encode.rs': [2],
    },
  },
  {
    ...intoBuf,
    user: 'hyperium/h2',
    places: {
      ...{
        'src/client.rs': [145],
        'src/frame/ping.rs': [2],
        'src/proto/connection.rs': [8],
        'src/server.rs': [124],
      },
      ...{ 'src/share.rs': [5], 'tests/h2-support/src/client_ext.rs': [1] },
      ...{ 'tests/h2-support/src/frames.rs': [3], 'tests/h2-support/src/prelude.rs': [45] },
    },
  },
]

/** These were measured once, after that. */
const second: readonly Pair[] = [
  {
    ...oneName,
    user: 'lerna-lite/lerna-lite',
    places: {
      'packages/core/src/utils/collect-updates/lib/make-diff-predicate.ts': [3],
      'packages/version/src/version-command.ts': [3],
    },
  },
  {
    ...oneName,
    user: 'renovatebot/renovate',
    places: {
      ...{
        'lib/modules/manager/hermit/default-config.spec.ts': [1],
        'lib/modules/manager/hermit/extract.ts': [1],
      },
      ...{
        'lib/modules/manager/npm/extract/utils.ts': [1],
        'lib/modules/manager/nuget/package-tree.ts': [3],
      },
      ...{ 'lib/util/package-rules/paths.ts': [2], 'lib/workers/global/autodiscover.ts': [2] },
      'lib/workers/repository/extract/file-match.ts': [1],
      'lib/workers/repository/update/branch/commit.ts': [3],
      'lib/workers/repository/update/branch/execute-post-upgrade-commands.ts': [3],
      'tools/generate-imports.mjs': [5],
    },
  },
  {
    ...oneName,
    user: 'stoplightio/spectral',
    places: { 'packages/core/src/ruleset/utils/minimatch.ts': [1] },
  },
  { ...oneName, user: 'Redocly/redocly-cli', places: { 'packages/core/src/utils.ts': [3, 77] } },
  { ...oneName, user: 'isaacs/node-glob', places: {}, fits: { 'src/glob.ts': 'other names' } },
  {
    ...oneName,
    user: 'eslint/eslint',
    places: {},
    fits: { 'lib/eslint/eslint-helpers.js': 'another name, through the module' },
  },
  {
    ...{ provider: 'reduxjs/reselect', commit: '8e81ed0', what: 'defaultMemoize is lruMemoize' },
    user: 'reduxjs/redux-toolkit',
    places: { 'packages/toolkit/src/index.ts': [17] },
  },
  {
    ...{ provider: 'prometheus/client_golang', commit: '761a2ff0', what: 'no deprecated features' },
    user: 'prometheus/mysqld_exporter',
    places: { 'mysqld_exporter.go': [278] },
  },
  {
    ...handlers,
    user: 'resque/resque',
    places: {
      'lib/resque/web_runner.rb': [33, 287, 297, 302],
      'test/resque-web_runner_test.rb': [10, 71, 77, 85, 96, 98],
    },
  },
  {
    ...handlers,
    user: 'puma/puma',
    places: {
      ...{ 'lib/puma/rack/builder.rb': [104], 'lib/rack/handler/puma.rb': [3] },
      ...{ 'test/test_rack_handler.rb': [7, 9], 'test/rackup/lobster.ru': [4] },
    },
    fits: { 'lib/puma/rack_default.rb': 'its own handler' },
  },
  {
    ...sessions,
    user: 'sidekiq/sidekiq',
    places: { 'myapp/simple.ru': [18], 'test/test_web.rb': [735, 762, 792] },
    fits: { 'lib/sidekiq/web/csrf_protection.rb': 'words of an error' },
  },
]

export const pairSets = { first, second }
