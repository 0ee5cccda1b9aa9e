var t={en:()=>import("/assets/chunk-DBNWC6PP.js"),pl:()=>import("/assets/chunk-GQMBFSKD.js")};export{t as a};
