/** Routes in code: where frameworks declare them, what is mounted where, and what a change of them breaks. */
import { expect, test } from 'vitest'
import { httpContracts } from '../../../src/workspace/kinds/http/kind.ts'
import { type Files, judgedChange, summary, treeOf } from '../helpers.ts'

async function routes(files: Files, asked = Object.keys(files)): Promise<string[]> {
  const found = await httpContracts.provided(asked, treeOf(files))
  return found.map(({ name, path, line }) => `${name} ${path}:${line}`)
}

test.each<[string, Files, string[]]>([
  [
    'Express: mounted routers, chains, parameters in the middle',
    {
      'src/app.js': `const express = require('express')
const users = require('./routes/users')
const app = express()
app.use('/api/v1', auth, users)
app.use('/orders', require('./routes/orders').router)
app.get('/health', (req, res) => res.send('ok'))
app.route('/books').get(list).post(add)
`,
      'src/routes/users.js': `const router = require('express').Router()
router.get('/users/:id', one)
router.post('/users', check, add)
router.use('/teams', teams)
module.exports = router
`,
      'src/routes/orders.js': `import { Router } from 'express'
export const router = Router()
router.delete('/:orderId/items/:itemId(\\\\d+)', remove)
`,
    },
    [
      'GET /health src/app.js:6',
      'GET /books src/app.js:7',
      'POST /books src/app.js:7',
      'GET /api/v1/users/{} src/routes/users.js:2',
      'POST /api/v1/users src/routes/users.js:3',
      'DELETE /orders/{}/items/{} src/routes/orders.js:3',
    ],
  ],
  [
    'Fastify: plugins with a prefix, and routes as objects',
    {
      'src/server.ts': `import Fastify from 'fastify'
import users from './users.ts'
const server = Fastify()
server.register(users, { prefix: '/users' })
server.route({ method: ['GET', 'HEAD'], url: '/ping', handler: async () => 'pong' })
`,
      'src/users.ts': `import type { FastifyInstance } from 'fastify'
export default async function users(fastify: FastifyInstance) {
  fastify.get('/:id', async (request) => find(request.params.id))
  fastify.get<{ Body: X }>('/all', { schema }, async () => [])
}
`,
    },
    [
      'GET /ping src/server.ts:5',
      'HEAD /ping src/server.ts:5',
      'GET /users/{} src/users.ts:3',
      'GET /users/all src/users.ts:4',
    ],
  ],
  [
    'Hono: chained, with sub-applications',
    {
      'src/index.ts': `import { Hono } from 'hono'
import { books } from './books'
const app = new Hono().basePath('/v2')
app.route('/books', books)
export default app
`,
      'src/books.ts': `import { Hono } from 'hono'
export const books = new Hono()
books.get('/', (c) => c.json([]))
books.on('GET', '/x', f)
books.put('/:id{[0-9]+}', (c) => c.json({ ok: true }))
`,
    },
    ['GET /v2/books src/books.ts:3', 'PUT /v2/books/{} src/books.ts:5'],
  ],
  [
    'NestJS: controllers under a global prefix',
    {
      'src/main.ts':
        "import { NestFactory } from '@nestjs/core'\nconst app = await NestFactory.create(AppModule)\napp.setGlobalPrefix('api')\n",
      'src/cats/cats.controller.ts': `import { Controller, Get, Post } from '@nestjs/common'
@Controller('cats')
export class CatsController {
  @Get(':id')
  one(@Param('id') id: string) {}
  @Post()
  add(@Body() cat: Cat) {}
}
`,
    },
    ['GET /api/cats/{} src/cats/cats.controller.ts:4', 'POST /api/cats src/cats/cats.controller.ts:6'],
  ],
  [
    'Flask: blueprints, of which the last prefix counts',
    {
      'app/__init__.py': `from flask import Flask
from .users import bp as users_bp
from app.orders import orders
app = Flask(__name__)
app.register_blueprint(users_bp, url_prefix="/v1/users")
app.register_blueprint(orders)
@app.route("/health")
def health():
    return {"ok": True}
`,
      'app/users.py': `from flask import Blueprint
bp = Blueprint("users", __name__, url_prefix="/users")
@bp.route("/<int:user_id>", methods=["GET", "DELETE"])
def one(user_id):
    pass
`,
      'app/orders.py': `from flask import Blueprint
orders = Blueprint("orders", __name__, url_prefix="/orders")
@orders.post("/")
def add():
    pass
`,
    },
    [
      'GET /health app/__init__.py:7',
      'GET /v1/users/{} app/users.py:3',
      'DELETE /v1/users/{} app/users.py:3',
      'POST /orders app/orders.py:3',
    ],
  ],
  [
    'FastAPI: nested routers',
    {
      'app/main.py': `from fastapi import FastAPI
from app.api.router import api_router
app = FastAPI()
app.include_router(api_router, prefix="/api")
`,
      'app/api/router.py': `from fastapi import APIRouter
from app.api import users
api_router = APIRouter()
api_router.include_router(users.router, prefix="/users", tags=["users"])
`,
      'app/api/users.py': `from fastapi import APIRouter
router = APIRouter()
@router.get("/{user_id}")
def one(user_id: int):
    pass
`,
    },
    ['GET /api/users/{} app/api/users.py:3'],
  ],
  [
    'Django: included patterns, expressions and routers of REST framework',
    {
      'site/urls.py': `from django.urls import include, path, re_path
urlpatterns = [
    path("api/", include("shop.urls")),
    re_path(r"^old/(?P<pk>\\d+)/$", views.old),
]
`,
      'shop/urls.py': `from django.urls import include, path
from rest_framework.routers import DefaultRouter
router = DefaultRouter()
router.register(r"items", ItemViewSet)
urlpatterns = [
    path("carts/<uuid:pk>/", CartView.as_view()),
    path("v2/", include(router.urls)),
]
`,
    },
    [
      'ANY /old/{} site/urls.py:4',
      'GET /api/v2/items shop/urls.py:4',
      'POST /api/v2/items shop/urls.py:4',
      'GET /api/v2/items/{} shop/urls.py:4',
      'PUT /api/v2/items/{} shop/urls.py:4',
      'PATCH /api/v2/items/{} shop/urls.py:4',
      'DELETE /api/v2/items/{} shop/urls.py:4',
      'ANY /api/carts/{} shop/urls.py:6',
    ],
  ],
  [
    'Spring: prefixes of classes, several paths, clients left out',
    {
      'src/main/java/com/acme/Users.java': `package com.acme;
@RestController
@RequestMapping("/users")
class Users {
  @GetMapping({"/{id}", "/by-id/{id}"})
  User one(@PathVariable String id) { return null; }
  @RequestMapping(value = "/search", method = RequestMethod.POST)
  User find() { return null; }
}
@FeignClient("orders")
interface Orders {
  @GetMapping("/orders/{id}")
  Order one(String id);
}
`,
    },
    [
      'GET /users/{} src/main/java/com/acme/Users.java:5',
      'GET /users/by-id/{} src/main/java/com/acme/Users.java:5',
      'POST /users/search src/main/java/com/acme/Users.java:7',
    ],
  ],
  [
    'Gin: groups, and groups that are handed over',
    {
      'main.go': `package main

import "github.com/gin-gonic/gin"

func main() {
	r := gin.Default()
	v1 := r.Group("/v1")
	v1.GET("/users/:id", getUser)
	admin := v1.Group("/admin")
	admin.DELETE("/users/:id", removeUser)
	orders.Register(v1.Group("/orders"))
	r.Run()
}
`,
      'orders/routes.go': `package orders

import "github.com/gin-gonic/gin"

func Register(rg *gin.RouterGroup) {
	rg.POST("", add)
	rg.GET("/:id", one)
}
`,
    },
    [
      'GET /v1/users/{} main.go:8',
      'DELETE /v1/admin/users/{} main.go:10',
      'POST /v1/orders orders/routes.go:6',
      'GET /v1/orders/{} orders/routes.go:7',
    ],
  ],
  [
    'net/http and Gorilla',
    {
      'main.go': `package main

import "net/http"

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /users/{id}", one)
	r.HandleFunc("/orders", list).Methods("GET", http.MethodPost)
	http.Get("/not/served")
}
`,
    },
    ['GET /users/{} main.go:7', 'GET /orders main.go:8', 'POST /orders main.go:8'],
  ],
  [
    'Rails: resources, namespaces and scopes',
    {
      'config/routes.rb': `Rails.application.routes.draw do
  namespace :api do
    resources :users, only: [:index, :show] do
      get :posts, on: :member
      collection do
        get 'search'
      end
      resources :tags, only: %i[create]
    end
  end
  scope '/v2' do
    resource :profile, only: :show
  end
  get '/health', to: 'health#show'
  post 'login' => 'sessions#create'
end
`,
    },
    [
      'GET /api/users config/routes.rb:3',
      'GET /api/users/{} config/routes.rb:3',
      'GET /api/users/{}/posts config/routes.rb:4',
      'GET /api/users/search config/routes.rb:6',
      'POST /api/users/{}/tags config/routes.rb:8',
      'GET /v2/profile config/routes.rb:12',
      'GET /health config/routes.rb:14',
      'POST /login config/routes.rb:15',
    ],
  ],
])('%s', async (_, files, expected) => {
  expect((await routes(files)).sort()).toEqual([...expected].sort())
})

const express: Files = {
  'src/shop-app.ts': `import express from 'express'
import users from './users.ts'
export const app = express()
app.use('/api', users)
`,
  'src/users.ts': `import { Router } from 'express'
const router = Router()
router.get('/users/:id', async (req, res) => {
  const user = await find(req.params.id)
  if (!user) return res.status(404).json({ error: 'unknown' })
  res.json({
    id: user.id,
    email: user.email,
  })
})
router.get('/users', all)
function all(req, res) {
  return res.json({ items: [], total: 3 })
}
export default router
`,
}

const fastApi: Files = {
  'app/main.py': `from fastapi import FastAPI
from app.models import User, NewUser
app = FastAPI()

@app.get("/users", response_model=list[User])
def all(limit: int = 10, q: str | None = None):
    return []

@app.post("/users")
def add(user: NewUser) -> User:
    return None
`,
  'app/models.py': `from pydantic import BaseModel

class User(BaseModel):
    id: int
    email: str

class NewUser(BaseModel):
    name: str
    role: str = "guest"
`,
}

const spring: Files = {
  'src/main/java/com/acme/UserController.java': `package com.acme;

@RestController
@RequestMapping("/users")
class UserController {
  @GetMapping("/{id}")
  User one(@PathVariable String id) { return null; }

  @GetMapping
  List<User> all(@RequestParam(required = false) String q) { return null; }

  record User(String id, String email) {}
}
`,
}

const gin: Files = {
  'main.go': `package main

import "github.com/gin-gonic/gin"

func main() {
	r := gin.Default()
	r.GET("/users/:id", one)
}

func one(c *gin.Context) {
	c.JSON(http.StatusOK, gin.H{"id": 1, "email": "x"})
}
`,
}

const clients: Files = {
  'web/users.ts': `export async function one(id: string) {
  const user = await fetch(\`\${API}/users/\${id}\`).then((r) => r.json())
  return user.email
}
export async function all() {
  const response = await fetch(\`\${API}/users\`)
  const data = await response.json()
  return [data.total, data[0].email]
}
export const add = () => axios.post(\`\${API}/users\`, { name: 'x' })
`,
}

const edited = (files: Files, ...edits: readonly [path: string, from: string, to: string][]): Files => {
  const changed: Record<string, string> = { ...files }
  for (const [path, from, to] of edits) {
    expect(changed[path]).toContain(from)
    changed[path] = (changed[path] ?? '').replace(from, to)
  }
  return changed
}

const controller = 'src/main/java/com/acme/UserController.java'
const one = 'web/users.ts:2 possible'
const all = 'web/users.ts:6 possible'
const add = 'web/users.ts:10 possible'

test.each<[string, Files, [string, string, string][], string[]]>([
  [
    'Express: a path',
    express,
    [['src/users.ts', "'/users/:id'", "'/people/:id'"]],
    [`GET /api/users/{} renamed, ${one}`],
  ],
  [
    'Express: a route goes',
    express,
    [['src/users.ts', "router.get('/users', all)\n", '']],
    [`GET /api/users removed, ${all}`],
  ],
  [
    'Express: a field of the answer',
    express,
    [['src/users.ts', '    email: user.email,\n', '']],
    [`GET /api/users/{} removed, ${one}`],
  ],
  [
    'Express: a field of a named handler',
    express,
    [['src/users.ts', ', total: 3', '']],
    [`GET /api/users removed, ${all}`],
  ],
  [
    'Express: a method',
    express,
    [['src/users.ts', "router.get('/users',", "router.post('/users',"]],
    [`GET /api/users renamed, ${all}`],
  ],
  [
    'Express: a prefix',
    express,
    [['src/shop-app.ts', "'/api'", "'/rest/admin'"]],
    [`GET /api/users/{} removed, ${one}`, `GET /api/users renamed, ${all}`],
  ],
  [
    'FastAPI: a path',
    fastApi,
    [['app/main.py', '@app.post("/users")', '@app.post("/people")']],
    [`POST /users renamed, ${add}`],
  ],
  [
    'FastAPI: a field of a model in another file',
    fastApi,
    [['app/models.py', '    email: str\n', '']],
    [`GET /users removed, ${all}`, 'POST /users removed'],
  ],
  [
    'FastAPI: a type',
    fastApi,
    [['app/models.py', '    email: str\n', '    email: list[str]\n']],
    [`GET /users changed, ${all}`, 'POST /users changed'],
  ],
  [
    'FastAPI: a field is required',
    fastApi,
    [['app/models.py', 'role: str = "guest"', 'role: str']],
    [`POST /users required, ${add}`],
  ],
  [
    'FastAPI: a parameter is required',
    fastApi,
    [['app/main.py', 'limit: int = 10', 'limit: int']],
    [`GET /users required, ${all}`],
  ],
  ['Spring: a path', spring, [[controller, '"/{id}"', '"/by-id/{id}"']], [`GET /users/{} renamed, ${one}`]],
  [
    'Spring: a field of a record',
    spring,
    [[controller, ', String email', '']],
    [`GET /users/{} removed, ${one}`, `GET /users removed, ${all}`],
  ],
  [
    'Spring: a parameter',
    spring,
    [[controller, '@RequestParam(required = false)', '@RequestParam']],
    [`GET /users required, ${all}`],
  ],
  ['Gin: a path', gin, [['main.go', '"/users/:id"', '"/user/:id"']], [`GET /users/{} renamed, ${one}`]],
  ['Gin: a field', gin, [['main.go', ', "email": "x"', ', "mail": "x"']], [`GET /users/{} renamed, ${one}`]],
])('breaking: %s', async (_, files, edits, expected) => {
  const found = summary(await judgedChange(httpContracts, files, edited(files, ...edits), clients))
  expect(found).toEqual(expected)
})

test.each<[string, Files, [string, string, string][]]>([
  ['a parameter has another name', express, [['src/users.ts', '/users/:id', '/users/:userId']]],
  ['a field is added', express, [['src/users.ts', 'id: user.id,', 'id: user.id,\n    name: user.name,']]],
  [
    'a handler is no longer inline',
    express,
    [['src/users.ts', "'/users', all", "'/users', (req, res) => res.json({ total: 3, items: [] })"]],
  ],
  ['a field of an error goes', express, [['src/users.ts', "{ error: 'unknown' }", '{}']]],
  [
    'a path is written by its parts',
    express,
    [
      ['src/shop-app.ts', "'/api', users", "'/', users"],
      ['src/users.ts', "'/users/:id'", "'/api/users/:id'"],
      ['src/users.ts', "'/users', all", "'/api/users', all"],
    ],
  ],
  ['a middleware is added', express, [['src/shop-app.ts', "'/api', users", "'/api', auth, users"]]],
  [
    'a model has a field more, with a default',
    fastApi,
    [['app/models.py', '    role: str = "guest"\n', '    role: str = "guest"\n    age: int = 0\n']],
  ],
  ['a parameter is added', fastApi, [['app/main.py', 'limit: int = 10', 'limit: int = 10, page: int = 1']]],
  ['a function has another name', fastApi, [['app/main.py', 'def all(', 'def every(']]],
  [
    'a field of an answer is added',
    fastApi,
    [['app/models.py', '    email: str\n', '    email: str\n    age: int\n']],
  ],
  [
    'annotations are in another order',
    spring,
    [
      [
        controller,
        '@RestController\n@RequestMapping("/users")',
        '@RequestMapping(path = "/users")\n@RestController',
      ],
    ],
  ],
  ['a parameter may be left out', spring, [[controller, '(required = false)', '(defaultValue = "")']]],
  ['a group', gin, [['main.go', 'r.GET("/users/:id", one)', 'g := r.Group("/users")\n\tg.GET("/:id", one)']]],
])('compatible: %s', async (_, files, edits) => {
  expect(await judgedChange(httpContracts, files, edited(files, ...edits), clients)).toEqual([])
})

test('what stands before a path because a file that mounts it was found is no break', async () => {
  const hidden: Files = { 'src/users.ts': express['src/users.ts'] ?? '' }
  expect(await judgedChange(httpContracts, hidden, express, clients)).toEqual([])
  const other = edited(express, ['src/users.ts', "'/users', all", "'/admin/users', every"])
  expect(summary(await judgedChange(httpContracts, express, other, clients))).toEqual([
    `GET /api/users removed, ${all}`,
  ])
})

test('a route that moves to another file is the same', async () => {
  const moved = {
    'src/shop-app.ts': (express['src/shop-app.ts'] ?? '').replace('./users.ts', './people/users.ts'),
    'src/people/users.ts': express['src/users.ts'] ?? '',
  }
  expect(await judgedChange(httpContracts, express, moved, clients)).toEqual([])
})

test('a change of a router alone finds the file that mounts it', async () => {
  expect(await routes(express, ['src/users.ts'])).toEqual([
    'GET /api/users/{} src/users.ts:3',
    'GET /api/users src/users.ts:11',
  ])
  expect(await routes(express, ['src/shop-app.ts'])).toEqual([
    'GET /api/users/{} src/shop-app.ts:4',
    'GET /api/users src/shop-app.ts:4',
  ])
})

test('the document and the code of one operation: it is gone when both are', async () => {
  const both: Files = {
    ...express,
    'openapi.yaml':
      "openapi: 3.0.0\nservers: [{ url: /api }]\npaths:\n  /users:\n    get: { responses: { '200': {} } }\n",
  }
  const withoutCode = edited(both, ['src/users.ts', "router.get('/users', all)\n", ''])
  const withoutBoth = edited(withoutCode, [
    'openapi.yaml',
    "  /users:\n    get: { responses: { '200': {} } }\n",
    '',
  ])
  const found = await judgedChange(httpContracts, both, withoutBoth, clients)
  expect(found.filter(({ uses }) => uses.length > 0).map(({ name }) => name)).toEqual(['GET /users'])
  const document = edited(
    both,
    ['openapi.yaml', "  /users:\n    get: { responses: { '200': {} } }\n", ''],
    ['src/users.ts', 'total: 3', 'total: 4'],
  )
  expect(await judgedChange(httpContracts, both, document, clients)).toEqual([])
})
