var t={en:()=>import("/assets/chunk-TGPAVFIU.js"),pl:()=>import("/assets/chunk-EFXOS7SQ.js")};export{t as a};
