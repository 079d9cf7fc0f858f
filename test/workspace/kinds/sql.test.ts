/** SQL across repositories: what migrations take away, and the queries and object mappings that need it. */
import { expect, test } from 'vitest'
import { sqlContracts } from '../../../src/workspace/kinds/sql/kind.ts'
import { type Files, judgedChange, summary, treeOf } from '../helpers.ts'

const tables = `CREATE TABLE users (
  id BIGSERIAL PRIMARY KEY,
  email VARCHAR(100) NOT NULL,
  age INTEGER,
  team_id BIGINT REFERENCES teams (id),
  CONSTRAINT adult CHECK (age > 17)
);

CREATE TABLE IF NOT EXISTS public."teams" (
  id BIGINT PRIMARY KEY,
  title TEXT NOT NULL DEFAULT 'a, b'
);
`

const base: Files = { 'db/migration/V1__tables.sql': tables }

const user: Files = {
  'report.sql': `-- the email of users
SELECT u.email,
       u.age AS years
FROM public.users AS u
JOIN teams t ON t.id = u.team_id
WHERE title <> 'email'
ORDER BY years;
`,
  'rows.py': `def rows(connection):
    return connection.execute(
        "SELECT count(*) FROM users "
        "WHERE email = %s", ['a'])
`,
  'add.ts': "export const add = (db) => db.query('INSERT INTO users (email) VALUES ($1)', ['a'])\n",
  'other.py': `def rows(connection):
    return connection.execute("SELECT email, phone, street FROM people")
`,
}

/** The base with another migration. */
function next(text: string, path = 'db/migration/V2__next.sql'): Files {
  return { ...base, [path]: text }
}

test.each<[string, string, string[]]>([
  [
    'a column is dropped',
    'ALTER TABLE users DROP COLUMN email;',
    ['users.email removed, report.sql:2 likely, rows.py:4 likely, add.ts:1 likely'],
  ],
  [
    'a column is renamed',
    'alter table only public.users rename email to mail;',
    ['users.email renamed, report.sql:2 likely, rows.py:4 likely, add.ts:1 likely'],
  ],
  [
    'a column of a joined table is dropped',
    'ALTER TABLE teams DROP title',
    ['teams.title removed, report.sql:6 likely'],
  ],
  ['a table is dropped', 'DROP TABLE IF EXISTS teams CASCADE;', ['teams removed, report.sql:5 likely']],
  [
    'a table is renamed',
    'ALTER TABLE "users" RENAME TO accounts;',
    ['users renamed, report.sql:4 likely, rows.py:3 likely, add.ts:1 likely'],
  ],
  [
    'a column is required and has no default',
    'ALTER TABLE users ADD COLUMN born DATE NOT NULL;',
    ['users.born required, add.ts:1 likely'],
  ],
  [
    'a column takes no null any longer',
    'ALTER TABLE users ALTER COLUMN age SET NOT NULL;',
    ['users.age required, add.ts:1 likely'],
  ],
  [
    'a type is narrower',
    'ALTER TABLE users ALTER email TYPE VARCHAR(20);',
    ['users.email narrowed, add.ts:1 possible'],
  ],
  ['a type is another', 'ALTER TABLE users MODIFY age BOOLEAN;', ['users.age changed, report.sql:3 likely']],
  [
    'several changes in one statement',
    'ALTER TABLE users DROP COLUMN age, ADD born DATE NOT NULL DEFAULT now();',
    ['users.age removed, report.sql:3 likely'],
  ],
  [
    'a table that was made elsewhere loses a column',
    'ALTER TABLE people DROP COLUMN phone;',
    ['people.phone removed, other.py:2 likely'],
  ],
])('%s', async (_, migration, found) => {
  expect(summary(await judgedChange(sqlContracts, base, next(migration), user))).toEqual(found)
})

test.each<[string, string]>([
  ['a column is added', 'ALTER TABLE users ADD COLUMN born DATE;'],
  [
    'a required column has a default',
    "ALTER TABLE users ADD COLUMN born DATE NOT NULL DEFAULT '2000-01-01';",
  ],
  ['a required column is generated', 'ALTER TABLE users ADD n BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY;'],
  ['a column takes null', 'ALTER TABLE users ALTER COLUMN email DROP NOT NULL;'],
  ['a type is wider', 'ALTER TABLE users ALTER COLUMN email TYPE TEXT, ALTER COLUMN age TYPE BIGINT;'],
  ['a type has another name', 'ALTER TABLE users ALTER COLUMN age TYPE int4;'],
  ['a table is made', 'CREATE TABLE more (id BIGINT PRIMARY KEY, email TEXT NOT NULL);'],
  ['an index is made and dropped', 'CREATE INDEX i ON users (email); DROP INDEX i;'],
  ['a constraint is dropped', 'ALTER TABLE users DROP CONSTRAINT adult, ADD UNIQUE (email);'],
  ['rows are changed', "UPDATE users SET age = 1 WHERE email = 'drop table users;';"],
  ['a definition in a comment', '-- DROP TABLE users;\n/* ALTER TABLE users DROP email; */'],
  ['a column goes and comes back', 'ALTER TABLE users DROP age; ALTER TABLE users ADD age INTEGER;'],
  [
    'a table is made again with all of its columns',
    `CREATE TABLE users_new (id BIGINT PRIMARY KEY, email VARCHAR(100) NOT NULL, age INTEGER, team_id BIGINT);
DROP TABLE users;
ALTER TABLE users_new RENAME TO users;`,
  ],
  ['what undoes it', '-- +goose Up\nSELECT 1;\n-- +goose Down\nDROP TABLE users;'],
])('compatible: %s', async (_, migration) => {
  expect(summary(await judgedChange(sqlContracts, base, next(migration), user))).toEqual([])
})

test('says what is different, and where', async () => {
  const head = next('-- next\nALTER TABLE users\n  RENAME COLUMN email TO mail;\n')
  expect(await judgedChange(sqlContracts, base, head, { 'a.sql': 'select email from users' })).toEqual([
    {
      name: 'users.email',
      how: 'renamed',
      renamedTo: 'users.mail',
      what: 'the column is now named `mail`',
      before: 'db/migration/V1__tables.sql:3',
      after: 'db/migration/V2__next.sql:3',
      uses: [{ at: 'a.sql:1', name: 'users.email', how: 'in a query', confidence: 'likely' }],
    },
  ])
})

test('old migrations that are deleted or moved drop nothing', async () => {
  const old: Files = {
    'db/migration/V1__a.sql': tables,
    'db/migration/V2__b.sql': 'ALTER TABLE users ADD born DATE;',
  }
  expect(
    await judgedChange(
      sqlContracts,
      old,
      { 'db/migration/V2__b.sql': old['db/migration/V2__b.sql'] ?? '' },
      user,
    ),
  ).toEqual([])
  expect(await judgedChange(sqlContracts, old, { 'sql/V1__a.sql': tables }, user)).toEqual([])
})

test('old migrations that come back change nothing', async () => {
  const later: Files = { 'm/V5__a.sql': 'ALTER TABLE users ADD age INT;' }
  const older = 'ALTER TABLE users ADD born DATE NOT NULL; ALTER TABLE users DROP email; DROP TABLE teams;'
  expect(summary(await judgedChange(sqlContracts, later, { ...later, 'm/V2__b.sql': older }, user))).toEqual(
    [],
  )
})

test('migrations are applied in the order of their numbers', async () => {
  const files = {
    'm/V9__a.sql': 'ALTER TABLE users ADD a INT;',
    'm/V10__b.sql': 'ALTER TABLE users DROP a;',
    'm/V1__c.sql': tables,
  }
  const names = (await sqlContracts.provided(['m/V9__a.sql'], treeOf(files))).map(({ name }) => name)
  expect(names).toContain('gone: users.a')
  expect(names).not.toContain('users.a')
})

const rails = (body: string) =>
  `class Next < ActiveRecord::Migration[7.1]\n  def change\n    ${body}\n  end\nend\n`
const alembic = (id: string, previous: string, body: string) =>
  `import sqlalchemy as sa\nfrom alembic import op\n\nrevision = '${id}'\ndown_revision = ${previous}\n\n\ndef upgrade():\n    ${body}\n\n\ndef downgrade():\n    op.drop_table('users')\n`
const django = (body: string) =>
  `from django.db import migrations, models\n\n\nclass Migration(migrations.Migration):\n    operations = [\n        ${body}\n    ]\n`
const knex = (body: string) =>
  `exports.up = (knex) => knex.schema\n  ${body}\n\nexports.down = (knex) => knex.schema.dropTable('users')\n`

type Library = { path: string; files: Files; text: (body: string) => string }

const libraries: Record<string, Library> = {
  Rails: {
    path: 'db/migrate/20240201_next.rb',
    files: {
      'db/migrate/20240101_users.rb': rails(
        'create_table :users do |t|\n      t.string :email, null: false, limit: 100\n      t.integer :age\n      t.references :team\n      t.timestamps\n    end',
      ),
    },
    text: rails,
  },
  Alembic: {
    path: 'alembic/versions/aaa_next.py',
    files: {
      'alembic/versions/bbb_users.py': alembic(
        'bbb',
        'None',
        "op.create_table(\n        'users',\n        sa.Column('id', sa.BigInteger, primary_key=True),\n        sa.Column('email', sa.String(100), nullable=False),\n        sa.Column('age', sa.Integer()),\n    )",
      ),
    },
    text: (body) => alembic('aaa', "'bbb'", body),
  },
  Django: {
    path: 'shop/migrations/0002_next.py',
    files: {
      'shop/migrations/0001_initial.py': django(
        "migrations.CreateModel(\n            name='User',\n            fields=[\n                ('id', models.BigAutoField(primary_key=True)),\n                ('email', models.CharField(max_length=100)),\n                ('age', models.IntegerField(null=True)),\n                ('team', models.ForeignKey(null=True, on_delete=models.CASCADE, to='shop.team')),\n            ],\n            options={'db_table': 'users'},\n        ),",
      ),
    },
    text: django,
  },
  Knex: {
    path: 'migrations/20240201_next.js',
    files: {
      'migrations/20240101_users.js': knex(
        ".createTable('users', (table) => {\n    table.increments('id')\n    table.string('email', 100).notNullable()\n    table.integer('age')\n  })",
      ),
    },
    text: knex,
  },
}

test.each<[string, string, string]>([
  ['Rails', 'remove_column :users, :email, :string', 'users.email removed, q.sql:1 likely'],
  ['Rails', 'rename_column :users, :age, :years', 'users.age renamed, q.sql:1 likely'],
  [
    'Rails',
    'change_table :users do |t|\n      t.remove :email\n    end',
    'users.email removed, q.sql:1 likely',
  ],
  ['Rails', 'remove_reference :users, :team', 'users.team_id removed'],
  ['Rails', 'add_column :users, :born, :date, null: false', 'users.born required, q.sql:2 likely'],
  ['Rails', 'change_column :users, :email, :string, limit: 20', 'users.email narrowed'],
  ['Rails', "execute 'ALTER TABLE users DROP COLUMN email'", 'users.email removed, q.sql:1 likely'],
  [
    'Django',
    "migrations.RemoveField(model_name='user', name='email'),",
    'users.email removed, q.sql:1 likely',
  ],
  ['Django', "migrations.RenameField('user', 'age', 'years'),", 'users.age renamed, q.sql:1 likely'],
  ['Django', "migrations.RemoveField('user', 'team'),", 'users.team_id removed'],
  [
    'Django',
    "migrations.AddField('user', 'born', models.DateField(default=today)),",
    'users.born required, q.sql:2 likely',
  ],
  ['Django', "migrations.DeleteModel('User'),", 'users removed, q.sql:1 likely, q.sql:2 likely'],
  ['Alembic', "op.drop_column('users', 'email')", 'users.email removed, q.sql:1 likely'],
  [
    'Alembic',
    "op.alter_column('users', 'age', new_column_name='years')",
    'users.age renamed, q.sql:1 likely',
  ],
  [
    'Alembic',
    "with op.batch_alter_table('users') as batch_op:\n        batch_op.drop_column('email')",
    'users.email removed, q.sql:1 likely',
  ],
  [
    'Alembic',
    "op.add_column('users', sa.Column('born', sa.Date(), nullable=False))",
    'users.born required, q.sql:2 likely',
  ],
  ['Alembic', "op.rename_table('users', 'people')", 'users renamed, q.sql:1 likely, q.sql:2 likely'],
  [
    'Knex',
    ".alterTable('users', (t) => {\n    t.dropColumn('email')\n  })",
    'users.email removed, q.sql:1 likely',
  ],
  ['Knex', ".table('users', (t) => t.renameColumn('age', 'years'))", 'users.age renamed, q.sql:1 likely'],
  [
    'Knex',
    ".alterTable('users', (t) => {\n    t.date('born').notNullable()\n  })",
    'users.born required, q.sql:2 likely',
  ],
])('%s: %s', async (library, body, found) => {
  const { path, files, text } = libraries[library] ?? { path: '', files: {}, text: String }
  const queries = { 'q.sql': 'select email, age from users;\ninsert into users (id) values (1);' }
  const breaks = summary(await judgedChange(sqlContracts, files, { ...files, [path]: text(body) }, queries))
  expect(
    breaks.map((line) => line.replace(', q.sql:2 likely', line.includes('email removed') ? '' : '$&')),
  ).toEqual([found])
})

test.each<[string, string]>([
  ['Rails', 'add_column :users, :born, :date'],
  ['Rails', 'add_column :users, :born, :date, null: false, default: "2000-01-01"'],
  ['Rails', 'change_column_null :users, :email, true'],
  ['Rails', 'add_index :users, :email, unique: true'],
  [
    'Alembic',
    "op.add_column('users', sa.Column('born', sa.Date(), nullable=False, server_default='2000-01-01'))",
  ],
  ['Alembic', "op.alter_column('users', 'email', type_=sa.String(400), existing_nullable=False)"],
  ['Django', "migrations.AddField(model_name='user', name='born', field=models.DateField(null=True)),"],
  ['Django', "migrations.AlterField('user', 'email', models.CharField(max_length=400)),"],
  ['Knex', ".alterTable('users', (t) => {\n    t.date('born').notNullable().defaultTo('2000-01-01')\n  })"],
  ['Knex', ".createTable('more', (t) => {\n    t.string('email').notNullable()\n  })"],
])('compatible, %s: %s', async (library, body) => {
  const { path, files, text } = libraries[library] ?? { path: '', files: {}, text: String }
  expect(summary(await judgedChange(sqlContracts, files, { ...files, [path]: text(body) }, user))).toEqual([])
})

const prisma =
  'model User {\n  id    Int    @id @default(autoincrement())\n  email String\n  age   Int?   @map("years")\n  posts Post[]\n\n  @@map("users")\n}\n'

test('a schema of Prisma is what it makes', async () => {
  const [before, after] = [prisma, prisma.replace('  email String\n', '')].map((text) => ({
    'schema.prisma': text,
  }))
  const queries = { 'q.sql': 'select email, years from users' }
  expect(summary(await judgedChange(sqlContracts, before ?? {}, after ?? {}, queries))).toEqual([
    'users.email removed, q.sql:1 likely',
  ])
})

test.each<[string, Files, string[]]>([
  ['a subquery', { 'a.sql': 'select x.id\nfrom (select id,\n  email from users) x' }, ['a.sql:3 likely']],
  [
    'a common table',
    { 'a.sql': 'with u as (select email\n from users)\nselect email from u' },
    ['a.sql:1 likely'],
  ],
  [
    'a correlated query',
    { 'a.sql': 'select 1 from users u where exists (select 1 from teams t where t.title = u.email)' },
    ['a.sql:1 likely'],
  ],
  ['an update', { 'a.sql': "update users set email = 'a' where id = 1" }, ['a.sql:1 likely']],
  ['a deletion', { 'a.sql': 'delete from users where email is null' }, ['a.sql:1 likely']],
  [
    'a column that either table has',
    { 'a.sql': 'select email from users join mails on true' },
    ['a.sql:1 possible'],
  ],
  ['a column that only the other table has', { 'a.sql': 'select title from users, teams' }, []],
  ['everything', { 'a.sql': 'select * from users' }, []],
  [
    'a column of another table',
    { 'a.sql': 'select t.email from users u join teams t on t.id = u.team_id' },
    [],
  ],
  ['an alias of the same name', { 'a.sql': 'select age as email from users order by email' }, []],
  [
    'a table of another database',
    { 'a.sql': 'select phone, street, email from users' },
    ['a.sql:1 possible'],
  ],
  ['a model of dbt', { 'a.sql': "select email from {{ source('shop', 'users') }}" }, ['a.sql:1 likely']],
  [
    'a query that a program completes',
    { 'a.ts': `const q = \`SELECT \${columns}, email FROM users \${where}\`` },
    ['a.ts:1 likely'],
  ],
  ['prose', { 'a.ts': "const a = 'Select an email from users'\nconst b = 'Update your email'" }, []],
  [
    'SQLAlchemy',
    {
      'a.py':
        "class User(Base):\n    __tablename__ = 'users'\n    email = Column(String)\n    mail: Mapped[str] = mapped_column('email')\n",
    },
    ['a.py:3 likely', 'a.py:4 likely'],
  ],
  [
    'Django',
    {
      'a.py':
        "class User(models.Model):\n    email = models.CharField(max_length=9)\n\n    class Meta:\n        db_table = 'users'\n",
    },
    ['a.py:2 likely'],
  ],
  [
    'JPA',
    {
      'A.java': '@Entity\n@Table(name = "users")\nclass A {\n  @Column(name = "email")\n  String mail;\n}\n',
    },
    ['A.java:4 likely'],
  ],
  [
    'TypeORM',
    {
      'a.ts':
        "@Entity('users')\nexport class User {\n  @Column({ type: 'text', name: 'email' })\n  mail: string\n\n  @Column('varchar')\n  email: string\n}\n",
    },
    ['a.ts:3 likely', 'a.ts:6 likely'],
  ],
  ['Prisma', { 'schema.prisma': prisma.replace('"years"', '"age"') }, ['schema.prisma:3 likely']],
])('uses in %s', async (_, files, found) => {
  const [broken] = await judgedChange(sqlContracts, base, next('ALTER TABLE users DROP email'), files)
  expect(broken?.uses.map(({ at, confidence }) => `${at} ${confidence}`)).toEqual(found)
})

test('a model of ActiveRecord names its table', async () => {
  const model = { 'user.rb': "class User < ApplicationRecord\n  self.table_name = 'users'\nend\n" }
  expect(summary(await judgedChange(sqlContracts, base, next('DROP TABLE users;'), model))).toEqual([
    'users removed, user.rb:2 likely',
  ])
})

test('texts that nest deeply, end early or are no SQL provide and use nothing', async () => {
  const hostile: Files = {
    'db/a.sql': `select ${'('.repeat(100_000)}`,
    'db/b.sql': `create table a (${'b int, '.repeat(10)}`,
    'db/c.sql': `alter table ${'a.'.repeat(50_000)}`,
    'db/d.sql': `select ${'(select '.repeat(20_000)} a from b`,
    'db/e.sql': "drop table ' ; alter table",
    'migrations/a.py': `op.create_table('a', ${'sa.Column('.repeat(5_000)}`,
    'migrations/b.rb': `create_table :a do |t|\n${'t.string :'.repeat(5_000)}`,
  }
  const tree = treeOf(hostile)
  const names = (await sqlContracts.provided(Object.keys(hostile), tree)).map(({ name }) => name)
  expect(names.filter((name) => !name.startsWith('a'))).toEqual([])
  for (const file of await tree.read(Object.keys(hostile)))
    if (file.path !== 'db/d.sql') expect(await sqlContracts.uses(file)).toEqual([])
})
