/** How languages and formats give a value to a name, and how they write a string. */

export type Syntax = {
  name: string
  /** The lines, with `NAME` and `VALUE` in them; a name in capitals, small letters or camels as the language has it. */
  forms: readonly string[]
  names: 'camel' | 'snake' | 'capitals'
  /** Of a comment. */
  comment: string
  /** Joins two literals; null where a string can't be put together. */
  join: string | null
  quote: '"' | "'"
}

const code = (
  name: string,
  names: Syntax['names'],
  comment: string,
  join: string | null,
  forms: readonly string[],
  quote: Syntax['quote'] = '"',
): Syntax => ({ name, names, comment, join, forms, quote })

export const syntaxes: readonly Syntax[] = [
  code('TypeScript', 'camel', '//', ' + ', [
    'const NAME: string = "VALUE"',
    'const NAME = process.env.NAME ?? "VALUE"',
    'export class A { private readonly NAME?: string = "VALUE" }',
    'function open(NAME: string = "VALUE") {}',
    'new Map([["NAME", "VALUE"]])',
    'client.set("NAME", "VALUE")',
    'const { NAME = "VALUE" } = options',
    'type Options = { NAME: "VALUE" }',
  ]),
  code('JavaScript', 'camel', '//', ' + ', [
    'var NAME = "VALUE";',
    'const o = { NAME: "VALUE" };',
    'const o = { "NAME": "VALUE", };',
    'const NAME        = process.env["NAME"] || "VALUE"',
    'module.exports.NAME = `VALUE`',
    'self.setNAME("VALUE")',
  ]),
  code('Python', 'snake', '#', ' ', [
    'NAME = "VALUE"',
    'NAME: str = "VALUE"',
    'def open(NAME: str = "VALUE"): ...',
    'connect(host, NAME="VALUE")',
    'NAME = os.environ.get("NAME", "VALUE")',
    'config["NAME"] = "VALUE"',
    'NAME = b"VALUE"',
    'NAME = """VALUE"""',
    'NAME = os.getenv("NAME") or "VALUE"',
  ]),
  code('Go', 'camel', '//', ' + ', [
    'NAME := "VALUE"',
    'var NAME string = "VALUE"',
    'const NAME = "VALUE"',
    'cfg := Config{NAME: "VALUE"}',
    'NAME = []byte("VALUE")',
    'm := map[string]string{"NAME": "VALUE"}',
    'NAME := `VALUE`',
  ]),
  code('Rust', 'snake', '//', null, [
    'let NAME: &str = "VALUE";',
    'const NAME: &\'static str = "VALUE";',
    'let NAME = String::from("VALUE");',
    'let NAME = std::env::var("NAME").unwrap_or("VALUE".into());',
    'Config { NAME: "VALUE".to_string() }',
    'let NAME = r#"VALUE"#;',
  ]),
  code('Java', 'camel', '//', ' + ', [
    'String NAME = "VALUE";',
    'private static final String NAME = "VALUE";',
    'builder.NAME("VALUE").build();',
    'map.put("NAME", "VALUE");',
    'props.setProperty("NAME", "VALUE");',
    '@Value(NAME = "VALUE")',
  ]),
  code('Kotlin', 'camel', '//', ' + ', [
    'val NAME: String = "VALUE"',
    'private val NAME: String? = "VALUE"',
    'val NAME = System.getenv("NAME") ?: "VALUE"',
    'open(NAME = "VALUE")',
    'mapOf("NAME" to 1, "NAME" to "VALUE")',
  ]),
  code('Swift', 'camel', '//', ' + ', [
    'let NAME: String = "VALUE"',
    'static let NAME = "VALUE"',
    'open(NAME: "VALUE")',
    'let d = ["NAME": "VALUE"]',
  ]),
  code('C', 'snake', '//', ' ', [
    'const char *NAME = "VALUE";',
    'static char NAME[] = "VALUE";',
    'char NAME[64] = "VALUE";',
    '#define NAME "VALUE"',
  ]),
  code('C++', 'snake', '//', ' ', [
    'std::string NAME = "VALUE";',
    'std::string NAME{"VALUE"};',
    'const std::string NAME("VALUE");',
    'auto NAME = std::string("VALUE");',
  ]),
  code('C#', 'camel', '//', ' + ', [
    'string NAME = "VALUE";',
    'public string NAME { get; set; } = "VALUE";',
    'public const string NAME = @"VALUE";',
    'services["NAME"] = "VALUE";',
    'public string NAME => "VALUE";',
  ]),
  code(
    'PHP',
    'snake',
    '//',
    ' . ',
    [
      "$NAME = 'VALUE';",
      "'NAME' => 'VALUE',",
      "private string $NAME = 'VALUE';",
      "define('NAME', 'VALUE');",
      "$NAME = getenv('NAME') ?: 'VALUE';",
      "$this->NAME = 'VALUE';",
    ],
    "'",
  ),
  code(
    'Ruby',
    'snake',
    '#',
    ' + ',
    [
      "NAME = 'VALUE'",
      "NAME: 'VALUE',",
      ":NAME => 'VALUE'",
      "ENV.fetch('NAME', 'VALUE')",
      "ENV['NAME'] || 'VALUE'",
      "@NAME ||= 'VALUE'.freeze",
    ],
    "'",
  ),
  code('Scala', 'camel', '//', ' + ', [
    'val NAME: String = "VALUE"',
    'Map("NAME" -> "VALUE")',
    'sys.env.getOrElse("NAME", "VALUE")',
    'sys.env.get("NAME").getOrElse("VALUE")',
  ]),
  code('Bash', 'capitals', '#', null, [
    'NAME=VALUE',
    'export NAME="VALUE"',
    "NAME='VALUE' ./run",
    'docker run -e NAME=VALUE image',
    'tool --NAME=VALUE',
    `\${NAME:-VALUE}`,
  ]),
  code('SQL', 'snake', '--', null, ["ALTER USER app SET NAME = 'VALUE';", "NAME := 'VALUE'"], "'"),
  code('Lua', 'snake', '--', ' .. ', [
    'local NAME = "VALUE"',
    't = { NAME = "VALUE" }',
    't["NAME"] = "VALUE"',
  ]),
  code('Dart', 'camel', '//', ' ', ["const String NAME = 'VALUE';", "final NAME = 'VALUE';"], "'"),
  code('Elixir', 'snake', '#', ' <> ', ['NAME: "VALUE"', '@NAME "VALUE"', 'System.get_env("NAME", "VALUE")']),
  code('PowerShell', 'camel', '#', ' + ', ['$NAME = "VALUE"', '$env:NAME = "VALUE"', '-NAME "VALUE"']),
  code('Terraform', 'snake', '#', null, ['NAME = "VALUE"', 'variable "NAME" {\n  default = "VALUE"\n}']),
  code('.env', 'capitals', '#', null, [
    'NAME=VALUE',
    'NAME="VALUE"',
    'export NAME=VALUE',
    'NAME=VALUE # prod',
  ]),
  code('YAML', 'snake', '#', null, [
    'NAME: VALUE',
    'NAME: "VALUE"',
    "  - NAME: 'VALUE' # prod",
    'NAME: VALUE # prod',
    'NAME: >-\n  VALUE',
    '- name: NAME\n  value: VALUE',
    '- name: NAME\n  value: "VALUE"',
  ]),
  code('JSON', 'camel', '', null, [
    '{"NAME": "VALUE"}',
    '  "NAME": "VALUE",',
    '{"name":"NAME","value":"VALUE"}',
  ]),
  code('TOML', 'snake', '#', null, ['NAME = "VALUE"', "NAME = 'VALUE'", 'a = { NAME = "VALUE" }']),
  code('INI', 'snake', ';', null, ['NAME = VALUE', 'NAME=VALUE ; prod', 'app.NAME = VALUE']),
  code('XML', 'camel', '', null, [
    '<NAME>VALUE</NAME>',
    '<add key="NAME" value="VALUE"/>',
    '<server NAME="VALUE" />',
  ]),
  code('Dockerfile', 'capitals', '#', null, ['ENV NAME=VALUE', 'ENV NAME VALUE', 'ARG NAME=VALUE']),
  code('address', 'snake', '', null, [
    'https://api.shop.io/x?NAME=VALUE&page=2',
    'curl "https://api.shop.io/?a=1&NAME=VALUE"',
  ]),
]
