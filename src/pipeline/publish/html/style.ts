/** The style of the report: system fonts, light and dark by the reader's setting, readable on a phone and on paper. */
export const style = `
:root{color-scheme:light dark;--back:#fff;--text:#1c2128;--soft:#57606a;--line:#d0d7de;--box:#f6f8fa;--link:#0550ae;--red:#b3261e;--amber:#7d4e00;--green:#116329;--add:#dafbe1;--cut:#ffebe9}
@media (prefers-color-scheme:dark){:root{--back:#0d1117;--text:#e6edf3;--soft:#9aa4af;--line:#30363d;--box:#161b22;--link:#79b8ff;--red:#ff9b93;--amber:#f0c674;--green:#7ee2a0;--add:#12361f;--cut:#4a1d1d}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:1.5rem 1rem 4rem;background:var(--back);color:var(--text);font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.35rem;line-height:1.3;margin:.25rem 0}
h2{font-size:1.15rem;margin:2.5rem 0 .75rem;padding-bottom:.3rem;border-bottom:1px solid var(--line)}
h3{font-size:1rem;margin:0}
p{margin:.6rem 0}
a{color:var(--link)}
a:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:2px solid var(--link);outline-offset:2px}
code,pre,.code{font:.86rem/1.5 ui-monospace,SFMono-Regular,Consolas,monospace}
code{background:var(--box);border-radius:3px;padding:.1em .3em}
.soft{color:var(--soft)}
.verdict{border:1px solid var(--line);border-left:6px solid var(--soft);background:var(--box);border-radius:6px;padding:.8rem 1rem;margin:1rem 0}
.verdict.bad{border-left-color:var(--red)}.verdict.open{border-left-color:var(--amber)}.verdict.good{border-left-color:var(--green)}
.verdict p{margin:0;font-weight:600}.verdict ul{margin-bottom:0}
dl.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(10rem,1fr));gap:.75rem 1.5rem;margin:1rem 0}
dl.facts dt{color:var(--soft);font-size:.85rem}dl.facts dd{margin:0}
article{border:1px solid var(--line);border-radius:6px;padding:1rem;margin:1rem 0}
article:target{outline:2px solid var(--link)}
.severity{display:inline-block;border:1px solid currentColor;border-radius:1rem;padding:0 .6rem;font-size:.8rem;font-weight:600;margin-right:.5rem}
.critical,.high{color:var(--red)}.medium{color:var(--amber)}.low{color:var(--green)}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:6px;margin:.75rem 0}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid var(--line)}
tr:last-child>td{border-bottom:0}
th{font-size:.85rem;color:var(--soft);font-weight:600}
td.number,th.number{text-align:right;white-space:nowrap}
.code td{border:0;padding:0 .6rem;white-space:pre}
.code td.at{color:var(--soft);text-align:right;user-select:none;width:1%}
.added{background:var(--add)}.removed{background:var(--cut)}
pre{background:var(--box);border:1px solid var(--line);border-radius:6px;padding:.6rem;overflow-x:auto;white-space:pre-wrap;margin:.5rem 0}
details{margin:.5rem 0}summary{cursor:pointer;color:var(--link)}
ul,ol{padding-left:1.3rem}li{margin:.25rem 0}
meter{width:100%;min-width:6rem}td:first-child code{white-space:nowrap}
footer{margin-top:3rem;color:var(--soft);font-size:.85rem}
@media print{details>*{display:block}article{break-inside:avoid}}
`
