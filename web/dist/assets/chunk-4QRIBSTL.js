var n=[];function e(t){n=t}function o(){let t=n;return n=[],t}export{e as a,o as b};
