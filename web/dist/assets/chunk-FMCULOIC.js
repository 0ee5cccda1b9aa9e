var t={en:()=>import("/assets/chunk-3DUXHOP2.js"),pl:()=>import("/assets/chunk-4W6W3DQO.js")};export{t as a};
