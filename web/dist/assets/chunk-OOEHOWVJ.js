var t={en:()=>import("/assets/chunk-RQCTSH57.js"),pl:()=>import("/assets/chunk-TVOEZKJ5.js")};export{t as a};
