var t={en:()=>import("/assets/chunk-4BJYZ6XA.js"),pl:()=>import("/assets/chunk-5YDDSPVF.js")};export{t as a};
